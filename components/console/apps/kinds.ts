// The kinds of apps with safe settings for each (RFC 9700, RFC 8252, RFC 8628), so that the wizard only asks for the kind.
import type { App } from "./app";
import type { AppKind } from "./snippets/snippet";

/** In the order of the wizard. */
export const APP_KINDS: readonly AppKind[] = ["web", "browser", "native", "device", "machine", "api"];

/** Kinds that people sign in to. */
export type PersonKind = "web" | "browser" | "native" | "device";

/** Whether people sign in to it, so that it may need a redirect URI. */
export const signsIn = (kind: AppKind): kind is PersonKind => kind !== "machine" && kind !== "api";

/** Whether it can keep a secret or a key, and chooses between them. */
export const authenticates = (kind: AppKind): boolean => kind === "web" || kind === "machine" || kind === "api";

const CODE = {
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
} as const;

/** The code flow for all, a secret only where it can be kept, PKCE where it cannot, device codes without a browser. */
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

/** Without an address to come back to, a device has no use for authorization codes. */
export function grantTypesFor(kind: PersonKind, redirectUris: readonly string[]) {
  const { grantTypes } = SAFE_SETTINGS[kind];
  const isDevice = kind === "device" && redirectUris.length === 0;
  return isDevice ? grantTypes.filter((grant) => grant !== "OIDC_GRANT_TYPE_AUTHORIZATION_CODE") : grantTypes;
}

/** The kind of an app, judged by its settings. */
export function kindOf({ oidcConfig }: App): AppKind {
  if (!oidcConfig) return "api";
  if (oidcConfig.appType === "OIDC_APP_TYPE_USER_AGENT") return "browser";
  if (oidcConfig.appType !== "OIDC_APP_TYPE_NATIVE") return "web";
  return oidcConfig.grantTypes.includes("OIDC_GRANT_TYPE_DEVICE_CODE") ? "device" : "native";
}

/** A suggestion for the redirect URI: the address that the tools of the kind use by default. */
export const EXAMPLE_REDIRECT: Readonly<Record<PersonKind, string | undefined>> = {
  web: "http://localhost:3000/callback",
  browser: "http://localhost:5173/callback",
  native: "http://127.0.0.1/callback",
  device: undefined,
};
