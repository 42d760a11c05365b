/** Endpoints beside those: what tokens are good for, devices, and the documents for clients. */
import { CLIENT, CLIENT_ERRORS, type Endpoint, errors, fields } from "./endpoint";

export const tokenUses: readonly Endpoint[] = [
  {
    id: "userinfo",
    name: "Userinfo",
    methods: "GET, POST",
    path: "/oidc/v1/userinfo",
    standard: "OpenID Connect Core §5.3",
    about: ["Claims about the user of the access token, as its scopes allow. Browsers can call it too (CORS)."],
    parameters: fields([
      ["authorization", "header", "`Bearer` and the access token; `DPoP` for a token that is bound to a key."],
      ["dpop", "header", "The proof of a bound token for this request (RFC 9449 §7)."],
      ["access_token", "string", "The same in a form, with POST."],
    ]),
    answer: fields([
      ["sub", "string", "The id of the user. Compare it with that of the ID token."],
      ["name, given_name, family_name, preferred_username, …", "", "With `profile`."],
      ["email, email_verified", "", "With `email`."],
      ["phone_number, phone_number_verified", "", "With `phone`."],
      ["address", "object", "With `address`."],
    ]),
    errors: errors([
      ["invalid_request", "400", "Two tokens, or a malformed header."],
      ["invalid_token", "401", "The token is wrong, has expired or was revoked. Without a token there is no code."],
      ["invalid_dpop_proof", "401", "A bound token without a valid proof."],
      ["insufficient_scope", "403", "The token lacks the scope `openid`."],
    ]),
  },
  {
    id: "introspect",
    name: "Introspection",
    methods: "POST",
    path: "/oauth/v2/introspect",
    standard: "RFC 7662",
    about: [
      "An API asks whether an access token is valid now. It learns only of tokens that are meant for it; whatever is wrong with a token, the answer is `active: false`.",
      "The client authenticates by client_secret_basic or private_key_jwt.",
    ],
    parameters: fields([
      ["token*", "string", "The access token."],
      ...CLIENT.filter(([name]) => name !== "client_secret"),
    ]),
    answer: fields([
      ["active", "boolean", "Whether the token is valid and meant for the caller. The rest is there only if it is."],
      ["sub", "string", "The user of the token."],
      ["aud", "list of string", "For whom it is meant."],
      ["client_id", "string", "The client that got it."],
      ["scope", "string", "What was granted."],
      ["iss, exp, iat, nbf, jti, token_type, username, act", "", "As RFC 7662 §2.2 and RFC 8693 §4.1 define them."],
    ]),
    errors: errors(CLIENT_ERRORS),
  },
  {
    id: "revoke",
    name: "Revocation",
    methods: "POST",
    path: "/oauth/v2/revoke",
    standard: "RFC 7009",
    about: [
      "The client gives a token back. A refresh token ends with all tokens of its sign-in, an access token alone. Unknown tokens are no error.",
    ],
    parameters: fields([
      ["token*", "string", "A refresh token or an access token of this client."],
      ["token_type_hint", "string", "Not needed: the type is detected."],
      ...CLIENT,
    ]),
    answer: [],
    errors: errors(CLIENT_ERRORS),
  },
  {
    id: "device-authorization",
    name: "Device authorization",
    methods: "POST",
    path: "/oauth/v2/device_authorization",
    standard: "RFC 8628 §3.1",
    about: [
      "A device without a browser gets a device code, and a short user code that the user enters at `/device`. Meanwhile the device polls the token endpoint.",
    ],
    parameters: fields([["scope", "string", "What is asked for, separated by spaces."], ...CLIENT]),
    answer: fields([
      ["device_code", "string", "For the token endpoint."],
      ["user_code", "string", "The code that the user enters."],
      ["verification_uri", "string", "Where they type it."],
      ["verification_uri_complete", "string", "The same with the code, for a QR code."],
      ["expires_in", "seconds", "How long the codes last."],
      ["interval", "seconds", "How long to wait between two requests."],
    ]),
    errors: errors([
      ...CLIENT_ERRORS,
      ["unauthorized_client", "400", "The client is not registered for device authorization."],
      ["invalid_scope", "400", "The scope is malformed, or names an organization that is not there."],
    ]),
  },
  {
    id: "keys",
    name: "Key set",
    methods: "GET",
    path: "/oauth/v2/keys",
    standard: "RFC 7517 §5",
    about: [
      "The public keys that tokens are verified with. Fetch it again when a token names a `kid` that is not in it.",
    ],
    parameters: [],
    answer: fields([["keys", "list", "JSON Web Keys, each with `kid`, `alg` and `use`."]]),
    errors: [],
  },
  {
    id: "discovery",
    name: "Discovery",
    methods: "GET",
    path: "/.well-known/openid-configuration",
    standard: "OpenID Connect Discovery §3, RFC 8414",
    about: [
      "What the provider supports and where. While the security setting `oauthMetadata` is on, the same document is at `/.well-known/oauth-authorization-server` (RFC 8414). May be kept for as long as `Cache-Control` says.",
    ],
    parameters: [],
    answer: [],
    errors: [],
  },
];
