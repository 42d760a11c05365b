// The kinds of apps with safe settings for each (RFC 9700, RFC 8252), so that the wizard only asks for the kind.
import type { App } from "./app";
import type { AppKind } from "./snippets/snippet";

/** In the order of the wizard. */
export const APP_KINDS: readonly AppKind[] = ["web", "browser", "native", "machine", "api"];

/** Kinds that people sign in to, which need a redirect URI. */
export const signsIn = (kind: AppKind): boolean => kind === "web" || kind === "browser" || kind === "native";

const CODE = {
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
} as const;

/** The code flow for all; a secret only where it can be kept, PKCE where it cannot. */
export const SAFE_SETTINGS = {
  web: { ...CODE, appType: "OIDC_APP_TYPE_WEB", authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" },
  browser: { ...CODE, appType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
  native: { ...CODE, appType: "OIDC_APP_TYPE_NATIVE", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
} as const;

/** The kind of an app, judged by its settings. */
export function kindOf({ oidcConfig }: App): AppKind {
  if (!oidcConfig) return "api";
  if (oidcConfig.appType === "OIDC_APP_TYPE_USER_AGENT") return "browser";
  return oidcConfig.appType === "OIDC_APP_TYPE_NATIVE" ? "native" : "web";
}

/** A suggestion for the redirect URI: the address that the stack's tools use by default. */
export const EXAMPLE_REDIRECT: Readonly<Record<"web" | "browser" | "native", string>> = {
  web: "http://localhost:3000/callback",
  browser: "http://localhost:5173/callback",
  native: "http://127.0.0.1/callback",
};
