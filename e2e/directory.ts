/**
 * The content of the tested service: the bootstrap file (rule BOOTSTRAP-4) as a value, with one app for each method of
 * client authentication.
 */
import type { JsonWebKey } from "node:crypto";
import type { RelyingParty } from "./relying-party";

export const ada = { id: "u-ada", loginName: "ada@acme.test", password: "correct horse battery staple" };
export const bob = { id: "u-bob", loginName: "bob@acme.test", password: "another long battery staple" };

/** Users for the tests of the account pages; their addresses are not verified. */
export const [hal, ida] = ["hal", "ida"].map((name) => ({
  id: `u-${name}`,
  loginName: `${name}@acme.test`,
  password: "a fourth long battery staple",
})) as [typeof ada, typeof ada];

/** Users who set up second factors; each belongs to one test. */
export const protectedPeople = ["carol", "dora", "emil", "finn", "gina", "hugo"].map((name) => ({
  id: `u-${name}`,
  loginName: `${name}@acme.test`,
  password: "a third long battery staple",
}));

/** The secret of every app that has one. */
export const clientSecret = "0123456789abcdef0123456789abcdef0123";

/** Client ids, named after the authentication method at the token endpoint. */
export const clients = {
  basic: "web-basic",
  post: "web-post",
  privateKeyJwt: "web-key",
  public: "spa",
  native: "native",
  /** Receives tokens from the authorization endpoint. */
  implicit: "spa-implicit",
  /** Exchanges tokens, and is notified when a session ends. */
  backend: "shop-backend",
  /** An API that introspects the tokens of its callers; with private_key_jwt. */
  api: "shop-api",
} as const;

/** A machine that acts for itself. */
export const machine = { clientId: "ci", secret: "ci-secret-ci-secret-ci-secret-ci-secret" };

export function directory(relyingParty: RelyingParty, keys: readonly JsonWebKey[]): unknown {
  const { origin, siteOrigin } = relyingParty;
  const redirects = {
    redirectUris: [
      relyingParty.redirectUri,
      `${siteOrigin}/callback`,
      `${origin}/auth/callback/service`, // the path of Auth.js
    ],
    postLogoutRedirectUris: [relyingParty.postLogoutRedirectUri, `${siteOrigin}/signed-out`],
    responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
    // http redirect URIs are for development only
    devMode: true,
  };
  const app = (clientId: string, name: string, settings: Record<string, unknown>) => ({
    id: `app-${clientId}`,
    name,
    oidc: { clientId, ...redirects, appType: "OIDC_APP_TYPE_WEB", ...settings },
  });
  const person = (user: typeof ada, firstName: string, lastName: string) => ({
    id: user.id,
    userName: user.loginName,
    password: user.password,
    profile: { firstName, lastName, displayName: `${firstName} ${lastName}`, preferredLanguage: "en" },
    email: { email: user.loginName, isEmailVerified: true },
  });
  return {
    instance: { defaultLanguage: "en", features: { oidcTokenExchange: true } },
    organizations: [
      {
        id: "acme",
        name: "ACME",
        default: true,
        domains: [{ domain: "acme.test", verified: true, primary: true }],
        users: [
          { ...person(ada, "Ada", "Lovelace"), roles: ["IAM_OWNER"] },
          person(bob, "Bob", "Marley"),
          ...protectedPeople.map((user) => person(user, user.id.slice(2), "Fisher")),
          ...[hal, ida].map((user) => ({
            ...person(user, user.id.slice(2), "Gardner"),
            email: { email: user.loginName, isEmailVerified: false },
          })),
        ],
        machines: [{ id: "m-ci", userName: machine.clientId, name: "CI", secret: machine.secret }],
        projects: [
          {
            id: "shop",
            name: "Shop",
            apps: [
              app(clients.basic, "Shop", { authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC", clientSecret }),
              app(clients.post, "Shop by form", { authMethodType: "OIDC_AUTH_METHOD_TYPE_POST", clientSecret }),
              app(clients.privateKeyJwt, "Shop by key", {
                authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
                jwks: { keys },
              }),
              app(clients.public, "Shop in the browser", {
                appType: "OIDC_APP_TYPE_USER_AGENT",
                authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
              }),
              app(clients.native, "Shop on the phone", {
                appType: "OIDC_APP_TYPE_NATIVE",
                authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
                grantTypes: [...redirects.grantTypes, "OIDC_GRANT_TYPE_DEVICE_CODE"],
              }),
              app(clients.implicit, "Shop in an old browser", {
                appType: "OIDC_APP_TYPE_USER_AGENT",
                authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
                responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
                grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
              }),
              app(clients.backend, "Shop behind the scenes", {
                authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
                clientSecret,
                grantTypes: [...redirects.grantTypes, "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"],
                backChannelLogoutUri: `${origin}/backchannel-logout`,
              }),
              {
                id: `app-${clients.api}`,
                name: "Shop's API",
                api: { clientId: clients.api, authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT", jwks: { keys } },
              },
            ],
          },
        ],
      },
    ],
  };
}
