/** The bootstrap file that most tests start from: one organization with users and apps of every kind. */
import { exportJWK, generateKeyPair } from "jose";

export const PASSWORD = "correct horse battery staple";
export const SECRET = "0123456789abcdef0123456789abcdef0123";

/** The key pair of the app `jwt-client`. */
export const clientKey = await generateKeyPair("RS256", { extractable: true });

const code = {
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  redirectUris: ["https://rp.test/cb"],
  postLogoutRedirectUris: ["https://rp.test/bye"],
  appType: "OIDC_APP_TYPE_WEB",
  accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
};
const implicit = {
  ...code,
  responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
  grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
  appType: "OIDC_APP_TYPE_USER_AGENT",
  authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
};

/** An app of the hybrid flow, which `exampleBootstrap` does not have. */
export const hybridApp = app("hybrid", {
  ...code,
  clientSecret: SECRET,
  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  responseTypes: [
    "OIDC_RESPONSE_TYPE_CODE_ID_TOKEN",
    "OIDC_RESPONSE_TYPE_CODE_TOKEN",
    "OIDC_RESPONSE_TYPE_CODE_ID_TOKEN_TOKEN",
  ],
  grantTypes: [...code.grantTypes, "OIDC_GRANT_TYPE_IMPLICIT"],
});

/** An app with a page for front-channel logout, which `exampleBootstrap` does not have. */
export const framedApp = app("framed", {
  ...code,
  clientSecret: SECRET,
  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  frontChannelLogoutUri: "https://rp.test/front-channel-logout?app=1",
  frontChannelLogoutSessionRequired: true,
});

export const exampleBootstrap = {
  organizations: [
    {
      id: "acme",
      name: "ACME",
      default: true,
      domains: [{ domain: "acme.test", verified: true, primary: true }],
      users: [
        {
          id: "u-ada",
          userName: "ada@acme.test",
          password: PASSWORD,
          profile: {
            firstName: "Ada",
            lastName: "Lovelace",
            nickName: "Countess",
            displayName: "Ada Lovelace",
            preferredLanguage: "en",
            gender: "female",
          },
          claims: {
            middle_name: "K",
            website: "https://ada.test",
            profile: "https://ada.test/me",
            picture: "https://ada.test/p.png",
            birthdate: "1815-12-10",
            zoneinfo: "Europe/London",
          },
          address: { street_address: "12 St James's Square", locality: "London", country: "UK" },
          email: { email: "ada@acme.test", isEmailVerified: true },
          phone: { phone: "+441234567890", isPhoneVerified: true },
          roles: ["IAM_OWNER"],
        },
        {
          id: "u-bob",
          userName: "bob",
          password: PASSWORD,
          profile: { firstName: "Bob", lastName: "Builder" },
          email: { email: "bob@acme.test", isEmailVerified: false },
        },
      ],
      projects: [
        {
          id: "p1",
          name: "Shop",
          apps: [
            // The app of the tests for administration, which has the permissions of its users.
            app("web", {
              ...code,
              clientSecret: SECRET,
              authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
              allowManagementApi: true,
            }),
            app("post", { ...code, clientSecret: SECRET, authMethodType: "OIDC_AUTH_METHOD_TYPE_POST" }),
            app("spa", {
              ...code,
              appType: "OIDC_APP_TYPE_USER_AGENT",
              authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
              allowManagementApi: true,
            }),
            app("jwt-tokens", {
              ...code,
              clientSecret: SECRET,
              authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
              accessTokenType: "OIDC_TOKEN_TYPE_JWT",
              idTokenUserinfoAssertion: true,
            }),
            app("jwt-client", {
              ...code,
              authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
              jwks: { keys: [{ ...(await exportJWK(clientKey.publicKey)), kid: "k1", alg: "RS256", use: "sig" }] },
            }),
            app("implicit", implicit),
          ],
        },
      ],
    },
  ],
};

function app(clientId: string, oidc: Record<string, unknown>) {
  return { id: `a-${clientId}`, name: `App ${clientId}`, oidc: { clientId, ...oidc } };
}

const [acme] = exampleBootstrap.organizations;
/** ACME with one more app, `open`, whose requests may name any organization. */
export const acmeWithOpenApp = {
  ...acme,
  projects: (acme?.projects ?? []).map((project) => ({
    ...project,
    apps: [
      ...project.apps,
      app("open", {
        ...code,
        clientSecret: SECRET,
        authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
        allowedOrganizations: "APP_ORGANIZATIONS_ALL",
      }),
    ],
  })),
};
