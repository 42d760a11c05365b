/**
 * The FAPI 2.0 Security Profile and FAPI 2.0 Message Signing as settings of an app: what a profile fixes, whatever the
 * other settings say (rule TOKEN-9). What it cannot fix, such as how the app authenticates, is a compliance problem.
 */
import type { Client, SigningAlgorithm } from "./client";

/** JWS algorithms for everything that is signed, by the app and for it (FAPI 2.0 Security Profile §5.4.1). */
export const fapiAlgorithms = ["PS256", "ES256", "EdDSA"] as const satisfies SigningAlgorithm[];

/** Whether an algorithm may be used with a client; all of those that the caller knows if it has no profile. */
export function isAllowedAlgorithm({ profile }: Pick<Client, "profile">, algorithm: string | undefined): boolean {
  return profile === undefined || fapiAlgorithms.some((allowed) => allowed === algorithm);
}

type ProfiledSettings = Pick<
  Client,
  | "profile"
  | "idTokenSigningAlgorithm"
  | "legacyAssertionAudience"
  | "allowAssertionReuse"
  | "requirePushedAuthorizationRequests"
  | "dpopBoundAccessTokens"
  | "tlsClientCertificateBoundAccessTokens"
  | "responseTypes"
  | "requireSignedRequestObject"
  | "authorizationSigningAlgorithm"
  | "userinfoSigningAlgorithm"
  | "introspectionSigningAlgorithm"
>;

/** Returns the settings as the app's profile fixes them; unchanged without a profile. */
export function underProfile<Settings extends ProfiledSettings>(settings: Settings): Settings {
  if (settings.profile === undefined) return settings;
  const { authorizationSigningAlgorithm, userinfoSigningAlgorithm, responseTypes } = settings;
  const allowed = (algorithm: SigningAlgorithm) => (isAllowedAlgorithm(settings, algorithm) ? algorithm : "ES256");
  const idTokenSigningAlgorithm = allowed(settings.idTokenSigningAlgorithm);
  const isMessageSigning = settings.profile === "fapi2-message-signing";
  return {
    ...settings,
    idTokenSigningAlgorithm,
    authorizationSigningAlgorithm: isAllowedAlgorithm(settings, authorizationSigningAlgorithm)
      ? authorizationSigningAlgorithm
      : idTokenSigningAlgorithm,
    userinfoSigningAlgorithm: userinfoSigningAlgorithm && allowed(userinfoSigningAlgorithm),
    introspectionSigningAlgorithm: allowed(settings.introspectionSigningAlgorithm),
    requireSignedRequestObject: isMessageSigning || settings.requireSignedRequestObject,
    legacyAssertionAudience: false, // §5.3.2.1: the issuer alone is the audience
    allowAssertionReuse: false,
    requirePushedAuthorizationRequests: true, // §5.3.2.2
    // §5.3.2.1: sender-constrained access tokens only, by DPoP unless by certificates.
    dpopBoundAccessTokens: settings.dpopBoundAccessTokens || !settings.tlsClientCertificateBoundAccessTokens,
    responseTypes: responseTypes.filter((type) => type === "code"),
  };
}
