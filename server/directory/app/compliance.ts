/**
 * Settings that work but are probably unintended, or less safe than they could be (RFC 9700). They are shown to the
 * user who configures the app and never cause a rejection. Clients of the management API translate the keys.
 */
import { isAllowedAlgorithm } from "../../protocol/fapi";
import { deviceCode } from "../../protocol/grant-type";
import { grantsOfResponse, isFrontChannel, returnsAccessToken, returnsCode } from "../../protocol/response-type";
import { oidcClient } from "./client";
import type { OidcSettings } from "./settings";

export interface ComplianceProblem {
  key: string;
  /** A sentence that says what to do. */
  localizedMessage: string;
}

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?:[:/?]|$)/i;

interface Rules extends ReturnType<typeof oidcClient> {
  isFirstKeyMissing: boolean;
  given: OidcSettings;
}

const uses = ({ grantTypes }: Rules, grant: Rules["grantTypes"][number]) => grantTypes.includes(grant);
const withoutBrowser = ({ grantTypes }: Rules) =>
  !grantTypes.includes("authorization_code") && !grantTypes.includes("implicit");

const PROBLEMS: readonly [key: string, message: string, is: (rules: Rules) => boolean][] = [
  [
    "NoRedirectUris",
    "There is no redirect URI, so no one can sign in to this app. Add the URL at which the app receives responses.",
    (rules) => !withoutBrowser(rules) && rules.redirectUris.length === 0,
  ],
  [
    "NotAllCombinationsAreAllowed",
    "The response types and grant types don’t match. A code needs the authorization code grant, an ID token the implicit grant.",
    (rules) =>
      rules.responseTypes.some((type) => grantsOfResponse(type).some((grant) => !uses(rules, grant))) &&
      !(withoutBrowser(rules) && rules.redirectUris.length === 0),
  ],
  [
    "GrantType.Refresh.NoAuthCode",
    "The refresh token grant does nothing on its own. Add the authorization code or the device code grant.",
    (rules) => uses(rules, "refresh_token") && !uses(rules, "authorization_code") && !uses(rules, deviceCode),
  ],
  [
    "Implicit.Discouraged",
    "The implicit grant puts tokens into addresses, where they leak. Use the code flow with PKCE instead.",
    (rules) =>
      uses(rules, "implicit") && !(rules.responseTypes.every(returnsCode) && rules.responseTypes.some(isFrontChannel)),
  ],
  [
    "Hybrid.AccessToken",
    "A response type returns an access token in the address, where it leaks (RFC 9700). Use code, or code and ID token.",
    ({ responseTypes }) => responseTypes.some((type) => returnsCode(type) && returnsAccessToken(type)),
  ],
  [
    "Native.AuthMethodType.NotNone",
    "An installed app can’t keep a secret. Choose no authentication; PKCE protects the sign-in.",
    (rules) => rules.applicationType === "native" && rules.authenticationMethod !== "none",
  ],
  [
    "UserAgent.AuthMethodType.NotNone",
    "Code in a browser can’t keep a secret. Choose no authentication; PKCE protects the sign-in.",
    (rules) => rules.applicationType === "user_agent" && rules.authenticationMethod !== "none",
  ],
  [
    "Code.RedirectUris.HttpOnlyForWeb",
    "Without HTTPS, others on the network can read the response. Use HTTPS before users sign in.",
    ({ redirectUris }) => redirectUris.some((uri) => /^http:/i.test(uri) && !LOOPBACK.test(uri)),
  ],
  [
    "DevMode.On",
    "Development mode accepts URLs without HTTPS. Turn it off before users sign in.",
    ({ devMode }) => devMode,
  ],
  [
    "PrivateKeyJwt.NoKey",
    "The app is set to authenticate with a key, but has none. Add a key.",
    ({ authenticationMethod, isFirstKeyMissing }) =>
      (authenticationMethod === "private_key_jwt" || authenticationMethod === "self_signed_tls_client_auth") &&
      isFirstKeyMissing,
  ],
  [
    "RequestObject.NoKey",
    "The app must sign its authorization requests, but has no key, so all of them are refused. Add a key.",
    ({ requireSignedRequestObject, isFirstKeyMissing }) => requireSignedRequestObject && isFirstKeyMissing,
  ],
  [
    "TlsClientAuth.Name",
    "The app is set to authenticate with a certificate of an authority. Set exactly one name that the certificate has.",
    (rules) => rules.authenticationMethod === "tls_client_auth" && rules.certificateName === undefined,
  ],
  [
    "ClientCredentials.Public",
    "The client credentials grant is for apps that authenticate. Choose a secret or a key.",
    (rules) => uses(rules, "client_credentials") && rules.authenticationMethod === "none",
  ],
  [
    "LegacyAssertionAudience.On",
    "Assertions with the token endpoint as audience are accepted. Use the issuer as audience, then turn this off.",
    ({ legacyAssertionAudience }) => legacyAssertionAudience,
  ],
  [
    "AllowedOrganizations.All",
    "A link to this app can name any organization. Users then see its words, and their new accounts belong to it. Grant the project to the organizations you mean instead.",
    ({ allowedOrganizations }) => allowedOrganizations === "all",
  ],
  [
    "AllowAssertionReuse.On",
    "Anyone who copies a client assertion can use it until it expires. Send a new one with its own jti each time, then turn this off.",
    ({ allowAssertionReuse }) => allowAssertionReuse,
  ],
  [
    "Profile.AuthMethod",
    "FAPI 2.0 needs an app that authenticates with a key or a certificate. Choose private key JWT and add a key.",
    ({ profile, authenticationMethod }) =>
      profile !== undefined && !/^(private_key_jwt|.*tls_client_auth)$/.test(authenticationMethod),
  ],
  [
    "Profile.ResponseTypes",
    "FAPI 2.0 uses the response type code only. Remove the others; requests with them are refused.",
    ({ profile, given }) =>
      profile !== undefined && (given.responseTypes ?? []).some((type) => !type.endsWith("_CODE")),
  ],
  [
    "Profile.IdTokenAlgorithm",
    "FAPI 2.0 excludes RS256. ID tokens are signed with ES256 until you choose another algorithm.",
    ({ profile, given }) =>
      !isAllowedAlgorithm({ profile }, given.idTokenSignedResponseAlg ?? given.idTokenSigningAlgorithm ?? "ES256"),
  ],
  [
    "Profile.RedirectUris",
    "FAPI 2.0 needs redirect URIs with https.",
    ({ profile, redirectUris }) => profile !== undefined && redirectUris.some((uri) => !/^https:/i.test(uri)),
  ],
];

/**
 * Returns the compliance problems of an app.
 * @param hasKeys whether any public key is registered, in the key set or individually
 */
export function complianceProblems(settings: OidcSettings, hasKeys: boolean): ComplianceProblem[] {
  const isFirstKeyMissing = !hasKeys && settings.jwksUri === undefined;
  const rules = { ...oidcClient(settings), isFirstKeyMissing, given: settings };
  return PROBLEMS.filter(([, , is]) => is(rules)).map(([key, localizedMessage]) => ({
    key: `Application.OIDC.V1.${key}`,
    localizedMessage,
  }));
}
