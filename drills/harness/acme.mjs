// The test data of the drills: one organization with a few users, a web application, an API that introspects and a
// machine user with administrator permissions. The previous release reads this format as well.
const SECRET = "0123456789abcdef0123456789abcdef0123";
export const person = { loginName: "ada@acme.test", password: "correct horse battery staple" };
export const client = {
  id: "web",
  secret: SECRET,
  redirectUri: "https://rp.test/cb",
  scope: "openid profile email offline_access",
};
export const api = { id: "api", secret: SECRET };
export const machine = { id: "machine", secret: SECRET };

/** Scopes of the machine: the API's project for introspection, and the service's own for the management API. */
export const SHOP = "urn:service:iam:org:project:id:shop:aud";
export const SERVICE = "urn:service:iam:org:project:id:service:aud";

/** The secret key on PostgreSQL, where the service has no folder to keep one in. */
export const SECRET_KEY = "a key for one run of the drills and no more";

export const bootstrap = {
  organizations: [
    {
      id: "acme",
      name: "ACME",
      default: true,
      domains: [{ domain: "acme.test", verified: true, primary: true }],
      users: [
        {
          userName: person.loginName,
          password: person.password,
          profile: { firstName: "Ada", lastName: "Lovelace" },
          email: { email: person.loginName, isEmailVerified: true },
        },
      ],
      machines: [{ userName: machine.id, secret: machine.secret, roles: ["IAM_OWNER"] }],
      projects: [
        {
          id: "shop",
          name: "Shop",
          apps: [
            { name: "API", api: { clientId: api.id, clientSecret: api.secret } },
            {
              name: "Web",
              oidc: {
                clientId: client.id,
                clientSecret: client.secret,
                redirectUris: [client.redirectUri],
                responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
                grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
                appType: "OIDC_APP_TYPE_WEB",
                authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
                accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
              },
            },
          ],
        },
      ],
    },
  ],
};
