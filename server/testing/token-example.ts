/** The bootstrap file of the token tests: two organizations with machines, an API and apps that exchange tokens. */
import { exportJWK, exportSPKI, generateKeyPair } from "jose";
import { exampleBootstrap, PASSWORD, SECRET } from "./example";

/** The key pairs of the machine `ci` (k1, RSA; k2, EC) and of the app `exchange-jwt`. */
export const machineKey = await generateKeyPair("RS256", { extractable: true });
export const machineEcKey = await generateKeyPair("ES256", { extractable: true });
export const exchangeKey = await generateKeyPair("RS256", { extractable: true });

/** The registered part of `machineKey`. */
export const machinePem = await exportSPKI(machineKey.publicKey);

export const MACHINE_SECRET = "ci-secret-ci-secret-ci-secret-ci-secret";
export const SERVICE_SCOPE = "urn:service:iam:org:project:id:service:aud";
export const P1_SCOPE = "urn:service:iam:org:project:id:p1:aud";

const grantTypes = [
  "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
  "OIDC_GRANT_TYPE_REFRESH_TOKEN",
  "OIDC_GRANT_TYPE_TOKEN_EXCHANGE",
  "OIDC_GRANT_TYPE_CLIENT_CREDENTIALS",
];

export function tokenApp(clientId: string, oidc: Record<string, unknown> = {}) {
  const shared = { grantTypes, redirectUris: ["https://rp.test/cb"], authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" };
  const secret = oidc.authMethodType === undefined || oidc.authMethodType === "OIDC_AUTH_METHOD_TYPE_POST";
  return {
    id: `a-${clientId}`,
    name: `App ${clientId}`,
    oidc: { clientId, ...shared, ...(secret ? { clientSecret: SECRET } : {}), ...oidc },
  };
}

export function person(id: string, domain: string, roles: readonly string[] = []) {
  return {
    id: `u-${id}`,
    userName: `${id}@${domain}`,
    password: PASSWORD,
    profile: { firstName: id, lastName: domain },
    email: { email: `${id}@${domain}`, isEmailVerified: true },
    roles,
  };
}

export function machine(id: string, rest: Record<string, unknown> = {}) {
  return { id: `m-${id}`, userName: id, name: `Machine ${id}`, secret: `${id}-${MACHINE_SECRET}`, ...rest };
}

const [acme] = exampleBootstrap.organizations;
const [shop] = acme?.projects ?? [];

export const tokenBootstrap = {
  instance: { features: { oidcTokenExchange: true }, security: { enableImpersonation: true } },
  organizations: [
    {
      ...acme,
      users: [
        ...(acme?.users ?? []),
        person("eve", "acme.test"),
        person("boss", "acme.test", ["ORG_OWNER"]),
        person("support", "acme.test", ["IAM_END_USER_IMPERSONATOR"]),
        person("admin-support", "acme.test", ["IAM_ADMIN_IMPERSONATOR"]),
        person("local-support", "acme.test", ["ORG_END_USER_IMPERSONATOR"]),
      ],
      machines: [
        {
          ...machine("ci", { roles: ["ORG_OWNER"] }),
          secret: MACHINE_SECRET,
          keys: [
            { keyId: "k1", publicKey: machinePem },
            { keyId: "k2", publicKey: await exportSPKI(machineEcKey.publicKey) },
            { keyId: "old", publicKey: machinePem, expirationDate: "2020-01-01T00:00:00Z" },
          ],
        },
        machine("jwt-bot", { accessTokenType: "ACCESS_TOKEN_TYPE_JWT" }),
        machine("actor-bot", { roles: ["IAM_END_USER_IMPERSONATOR"] }),
        machine("admin-bot", { roles: ["IAM_ADMIN_IMPERSONATOR"] }),
        machine("keyless", { secret: undefined }),
      ],
      projects: [
        {
          ...shop,
          apps: [
            ...(shop?.apps ?? []),
            tokenApp("exchange", { allowManagementApi: true }),
            tokenApp("exchange-post", { authMethodType: "OIDC_AUTH_METHOD_TYPE_POST" }),
            tokenApp("exchange-spa", {
              authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
              appType: "OIDC_APP_TYPE_USER_AGENT",
              grantTypes: grantTypes.slice(0, 3),
            }),
            tokenApp("exchange-jwt", {
              authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
              jwks: { keys: [{ ...(await exportJWK(exchangeKey.publicKey)), kid: "x1", alg: "RS256", use: "sig" }] },
            }),
            { id: "a-api", name: "API", api: { clientId: "api", clientSecret: SECRET } },
            {
              id: "a-api-jwt",
              name: "API with key",
              api: {
                clientId: "api-jwt",
                authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
                jwks: { keys: [{ ...(await exportJWK(exchangeKey.publicKey)), kid: "x1", alg: "RS256", use: "sig" }] },
              },
            },
          ],
        },
      ],
    },
    {
      id: "globex",
      name: "Globex",
      domains: [{ domain: "globex.test", verified: true, primary: true }],
      users: [person("gus", "globex.test")],
      machines: [machine("globex-bot")],
      projects: [
        {
          id: "p2",
          name: "Other",
          apps: [
            tokenApp("stranger"),
            { id: "a-api2", name: "API 2", api: { clientId: "api2", clientSecret: SECRET } },
          ],
        },
      ],
    },
  ],
};
