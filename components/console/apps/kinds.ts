// The kinds of apps with safe settings for each (RFC 9700, RFC 8252, RFC 8628), so that the wizard only asks for the
// kind.
import type { App } from "./app";
import type { AppKind } from "./snippet";

/** In the order of the wizard. */
export const APP_KINDS: readonly AppKind[] = ["web", "browser", "native", "device", "machine", "api"];

/** The kinds that users sign in to. */
export type PersonKind = "web" | "browser" | "native" | "device";

/** Whether users sign in to this kind, so that it may need a redirect URI. */
export const signsIn = (kind: AppKind): kind is PersonKind => kind !== "machine" && kind !== "api";

/** Whether this kind can keep a secret or a key, and has to choose one of them. */
export const authenticates = (kind: AppKind): boolean => kind === "web" || kind === "machine" || kind === "api";

const CODE = {
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
} as const;

/**
 * Safe settings by kind: the code flow for all, a secret only if it can be kept, PKCE otherwise, device codes without a
 * browser.
 */
export const SAFE_SETTINGS = {
  web: { ...CODE, appType: "OIDC_APP_TYPE_WEB", authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" },
  browser: { ...CODE, appType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
  native: { ...CODE, appType: "OIDC_APP_TYPE_NATIVE", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
  device: {
    ...CODE,
    grantTypes: [...CODE.grantTypes, "OIDC_GRANT_TYPE_DEVICE_CODE"],
    appType: "OIDC_APP_TYPE_NATIVE",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  },
} as const;

/** Returns the grant types of a kind. A device without a redirect URI cannot use authorization codes. */
export function grantTypesFor(kind: PersonKind, redirectUris: readonly string[]) {
  const { grantTypes } = SAFE_SETTINGS[kind];
  const isDevice = kind === "device" && redirectUris.length === 0;
  return isDevice ? grantTypes.filter((grant) => grant !== "OIDC_GRANT_TYPE_AUTHORIZATION_CODE") : grantTypes;
}

/** Returns the kind of an app, derived from its settings. */
export function kindOf({ oidcConfig }: App): AppKind {
  if (!oidcConfig) return "api";
  if (oidcConfig.appType === "OIDC_APP_TYPE_USER_AGENT") return "browser";
  if (oidcConfig.appType !== "OIDC_APP_TYPE_NATIVE") return "web";
  return oidcConfig.grantTypes.includes("OIDC_GRANT_TYPE_DEVICE_CODE") ? "device" : "native";
}

/** Suggested redirect URIs: the addresses that the tools of each kind use by default. */
export const EXAMPLE_REDIRECT: Readonly<Record<PersonKind, string | undefined>> = {
  web: "http://localhost:3000/callback",
  browser: "http://localhost:5173/callback",
  native: "http://127.0.0.1/callback",
  device: undefined,
};
