/** Endpoints that a browser is sent to. */
import { CLIENT, CLIENT_ERRORS, type Endpoint, errors, fields } from "./endpoint";

export const browserEndpoints: readonly Endpoint[] = [
  {
    id: "par",
    name: "Pushed authorization request",
    methods: "POST",
    path: "/oauth/v2/par",
    standard: "RFC 9126",
    about: [
      "The app sends its authorization request directly, and the browser only a reference to it. Mistakes are answered here, and the request can't be changed on the way.",
      "The reference works once. It must be opened within a minute; the sign-in may then take half an hour. An app can require it (`requirePushedAuthorizationRequests`).",
    ],
    parameters: fields([["…", "", "The parameters of the authorization endpoint, without `request_uri`."], ...CLIENT]),
    answer: fields([
      ["request_uri", "string", "Sent to the authorization endpoint with `client_id`; further parameters are ignored."],
      ["expires_in", "seconds", "How long the reference can be opened."],
    ]),
    errors: errors([
      ...CLIENT_ERRORS,
      ["unauthorized_client", "400", "The app may not use the response type."],
      ["invalid_scope", "400", "The scope is malformed or lacks `openid`."],
    ]),
  },
  {
    id: "authorize",
    name: "Authorization",
    methods: "GET, POST",
    path: "/oauth/v2/authorize",
    standard: "RFC 6749 §3.1, OpenID Connect Core §3.1.2",
    about: [
      "The app sends the browser here to sign a user in. The answer goes to `redirect_uri`, in the query unless `response_mode` says otherwise.",
      "Until client and redirect URI have proven to belong together, errors are shown on a page; from then on they are sent to the app, with `state` and `iss`.",
    ],
    parameters: fields([
      ["client_id*", "string", "The client id of the app."],
      ["request_uri", "string", "Of a pushed request, instead of all parameters below."],
      [
        "redirect_uri*",
        "string",
        "One of the app's redirect URIs, character by character. The port of a loopback address is free.",
      ],
      [
        "response_type*",
        "string",
        "`code`; `id_token` and `id_token token` for apps with the implicit grant; `code id_token`, `code token` and `code id_token token` for apps with both.",
      ],
      [
        "scope*",
        "string",
        "Separated by spaces, with `openid`: `profile`, `email`, `phone`, `address` for claims, `offline_access` for a refresh token, scopes of projects, `urn:service:iam:org:project:id:PROJECT_ID:aud` for an audience.",
      ],
      ["state", "string", "Comes back unchanged; binds the answer to the browser that asked."],
      ["nonce", "string", "Comes back in the ID token. Required where the ID token comes through the browser."],
      ["code_challenge", "string", "S256 of the code verifier (PKCE, RFC 7636). Required of apps without a secret."],
      ["code_challenge_method", "string", "`S256`."],
      ["dpop_jkt", "string", "The thumbprint of the key that must redeem the code (RFC 9449 §10)."],
      [
        "resource",
        "URI",
        "A resource of a project, which the access token is then for alone (RFC 8707). May be repeated.",
      ],
      ["response_mode", "string", "`query`, `fragment` or `form_post`."],
      [
        "prompt",
        "string",
        "`none`: no page is shown. `login`: ask again. `select_account`: ask which account. `create`: begin with a new account. `consent`: ask whether the app may.",
      ],
      ["max_age", "seconds", "Ask again if the sign-in is older."],
      ["login_hint", "string", "The login name or address to fill in."],
      ["id_token_hint", "JWT", "An earlier ID token: only its user may continue without a page."],
      ["ui_locales", "string", "BCP 47 tags of the languages of the pages, the most wanted first."],
      ["acr_values", "string", "The kinds of sign-in that are wanted, the most wanted first."],
      ["claims", "JSON", "Single claims for the ID token or userinfo (OpenID Connect Core §5.5)."],
    ]),
    answer: fields([
      [
        "code",
        "string",
        "To be redeemed at the token endpoint, once and within a minute, unless `CODE_LIFETIME` is set otherwise.",
      ],
      ["state", "string", "As it was sent."],
      ["iss", "string", "The issuer (RFC 9207). Compare it, if the app speaks to several."],
      [
        "id_token, access_token, token_type, expires_in, scope",
        "",
        "Instead of a code, for the implicit response types.",
      ],
    ]),
    errors: errors([
      ["invalid_request", "redirect", "A parameter is missing, repeated, too long or not understood."],
      ["unauthorized_client", "redirect", "The app is not registered for this response type."],
      ["unsupported_response_type", "redirect", "There is no such response type here."],
      ["invalid_scope", "redirect", "`openid` is missing, or the scope names an organization that is not there."],
      ["access_denied", "redirect", "The user refused, or the project is not open to them."],
      ["login_required", "redirect", "`prompt=none`, and no one is signed in."],
      [
        "interaction_required",
        "redirect",
        "`prompt=none`, and the account needs attention or the app is not let in yet.",
      ],
      ["unmet_authentication_requirements", "redirect", "An essential `acr` that no sign-in here reaches."],
      ["request_not_supported", "redirect", "A request object of a client without registered keys."],
      ["invalid_request_object", "redirect", "The request object is wrong, or the app must send one."],
      ["request_uri_not_supported", "redirect", "Request objects are not fetched."],
      ["invalid_request_uri", "redirect", "The sign-in of the pushed request has ended in another window."],
      ["registration_not_supported", "redirect", "Apps are not registered by requests."],
      ["server_error", "redirect", "An error of the service; it is in its log."],
      ["temporarily_unavailable", "redirect", "Later."],
    ]),
  },
  {
    id: "end-session",
    name: "Sign-out",
    methods: "GET, POST",
    path: "/oidc/v1/end_session",
    standard: "OpenID Connect RP-Initiated Logout §2",
    about: [
      "The app sends the browser here to end the session. With a matching `id_token_hint` it ends at once; else the user is asked.",
      "Apps with a `backChannelLogoutUri` are notified, and the browser loads the `frontChannelLogoutUri` of those that have one. Without a registered `post_logout_redirect_uri` the user stays on a page of the service.",
    ],
    parameters: fields([
      ["id_token_hint", "JWT", "An ID token that the app was given; it may have expired."],
      ["client_id", "string", "The app, where there is no hint. With one it must be the same app."],
      ["post_logout_redirect_uri", "string", "One of the app's post-logout redirect URIs, character by character."],
      ["state", "string", "Comes back unchanged."],
      ["ui_locales", "string", "BCP 47 tags of the languages of the page."],
    ]),
    answer: [],
    errors: errors([
      [
        "invalid_request",
        "page",
        "The hint does not verify, client and hint do not belong together, or the address is not registered.",
      ],
    ]),
  },
];
