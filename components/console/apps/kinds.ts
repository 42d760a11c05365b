// What may be built, and what is safe for it (RFC 9700, RFC 8252): the wizard asks for the kind and nothing else.
import type { App } from "./app";
import type { AppKind } from "./snippets/snippet";

/** In the order of the wizard. */
export const KINDS: readonly AppKind[] = ["web", "browser", "native", "machine", "api"];

/** Kinds that people sign in to: they come back to an address of the app. */
export const signsIn = (kind: AppKind): boolean => kind === "web" || kind === "browser" || kind === "native";

const CODE = {
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
};

/** The code flow for all; a secret only where it can be kept, PKCE where it cannot. */
export const SAFE_SETTINGS = {
  web: { ...CODE, appType: "OIDC_APP_TYPE_WEB", authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" },
  browser: { ...CODE, appType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
  native: { ...CODE, appType: "OIDC_APP_TYPE_NATIVE", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" },
} as const;

/** What an app is, by how it is registered. */
export function kindOf({ oidcConfig }: App): AppKind {
  if (!oidcConfig) return "api";
  if (oidcConfig.appType === "OIDC_APP_TYPE_USER_AGENT") return "browser";
  return oidcConfig.appType === "OIDC_APP_TYPE_NATIVE" ? "native" : "web";
}

/** An address to begin with, as the stack's own tools serve it. */
export const EXAMPLE_REDIRECT: Readonly<Record<"web" | "browser" | "native", string>> = {
  web: "http://localhost:3000/callback",
  browser: "http://localhost:5173/callback",
  native: "http://127.0.0.1/callback",
};
