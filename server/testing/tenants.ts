/**
 * Organizations that do not trust each other: `acme`, whose users must be protected; `evil`, whose managers have every
 * role of an organization and apps and machines of every kind; `shop`, a bystander. The data of ACME contain unique
 * words (`CONFIDENTIAL`), so that a test can detect whether a response reveals them.
 */
import { exportJWK, exportSPKI, generateKeyPair } from "jose";
import { callApi } from "./api";
import { exampleBootstrap, PASSWORD, SECRET } from "./example";
import { basic, postToken, type Tokens } from "./flow";
import type { TestService } from "./test-context";
import { MACHINE_SECRET, machine, person, SERVICE_SCOPE, tokenApp } from "./token-example";

/** The setting of an app that requires a role of the instance (rule TRUST-3); spread into its `oidc`. */
const TRUSTED = { trusted: true };
const MAY_MANAGE = { allowManagementApi: true };

/** Words of ACME's users, projects and apps that no one else may read. */
export const CONFIDENTIAL =
  /acme\.test|rp\.test|lovelace|countess|builder|salary|\b92000\b|OTIwMDA|till-\w+|acme-admin|m-acme-bot|acme-bot/i;

/** The callback of the hostile apps. */
export const EVIL_CALLBACK = "https://evil.test/cb";

/** The key of `evil-jwt` and of the machine `evil-key-bot`. */
export const evilKey = await generateKeyPair("RS256", { extractable: true });
const evilJwk = { ...(await exportJWK(evilKey.publicKey)), kid: "e1", alg: "RS256", use: "sig" };
const evilPem = await exportSPKI(evilKey.publicKey);

/** The managers of an organization: each is a person, and a machine with the same role. */
const MANAGERS = {
  mallory: "ORG_OWNER",
  uma: "ORG_USER_MANAGER",
  sett: "ORG_SETTINGS_MANAGER",
  cara: "ORG_PROJECT_CREATOR",
  pete: "PROJECT_OWNER",
} as const;
export type Manager = keyof typeof MANAGERS;
export const managers = Object.keys(MANAGERS) as Manager[];

/** Returns the machine with the role of a hostile manager. */
export const botOf = (manager: Manager) => `evil-${manager}`;

const CODE = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
const none = { authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };
const evil = { redirectUris: [EVIL_CALLBACK], postLogoutRedirectUris: ["https://evil.test/bye"] };
/** Every response type that answers in the front channel. */
const implicit = {
  responseTypes: [
    "OIDC_RESPONSE_TYPE_ID_TOKEN",
    "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN",
    "OIDC_RESPONSE_TYPE_CODE_ID_TOKEN",
    "OIDC_RESPONSE_TYPE_CODE_TOKEN",
    "OIDC_RESPONSE_TYPE_CODE_ID_TOKEN_TOKEN",
  ],
  grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
  appType: "OIDC_APP_TYPE_USER_AGENT",
  ...none,
};
const device = {
  grantTypes: ["OIDC_GRANT_TYPE_DEVICE_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  responseTypes: [],
  appType: "OIDC_APP_TYPE_NATIVE",
  ...none,
};

/** The hostile apps with sign-in, each with the parameters that its request needs. */
export const EVIL_VISITS: Readonly<Record<string, Partial<Record<string, string>>>> = {
  "evil-web": { response_type: "code", redirect_uri: EVIL_CALLBACK },
  "evil-spa": { response_type: "code", redirect_uri: EVIL_CALLBACK },
  "evil-jwt": { response_type: "code", redirect_uri: EVIL_CALLBACK },
  "evil-exchange": { response_type: "code", redirect_uri: EVIL_CALLBACK },
  "evil-implicit": { response_type: "id_token token", redirect_uri: EVIL_CALLBACK },
  "evil-native": { response_type: "code", redirect_uri: "https://evil.test/native" },
};

const evilApps = [
  tokenApp("evil-web", { ...evil, grantTypes: CODE }),
  tokenApp("evil-spa", { ...evil, ...none, grantTypes: CODE, appType: "OIDC_APP_TYPE_USER_AGENT" }),
  tokenApp("evil-implicit", { ...evil, ...implicit }),
  tokenApp("evil-native", {
    ...none,
    grantTypes: CODE,
    appType: "OIDC_APP_TYPE_NATIVE",
    redirectUris: ["https://evil.test/native", "http://127.0.0.1/cb", "test.evil.app:/cb"],
  }),
  tokenApp("evil-device", device),
  tokenApp("evil-exchange", evil),
  tokenApp("evil-jwt", {
    ...evil,
    authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    jwks: { keys: [evilJwk] },
  }),
  { id: "a-evil-api", name: "API", api: { clientId: "evil-api", clientSecret: SECRET } },
];

const acmeApps = [
  tokenApp("own", { grantTypes: CODE }),
  tokenApp("own-exchange"),
  tokenApp("own-device", device),
  tokenApp("trusted", { ...TRUSTED, grantTypes: CODE }),
  tokenApp("manager", { ...MAY_MANAGE }),
  { id: "a-acme-api", name: "API", api: { clientId: "acme-api", clientSecret: SECRET } },
];

const [acme] = exampleBootstrap.organizations;
const [shop] = acme?.projects ?? [];
const withKey = (keyId: string) => ({ keys: [{ keyId, publicKey: evilPem }] });

export const tenantsBootstrap = {
  instance: { features: { oidcTokenExchange: true }, security: { enableImpersonation: true } },
  organizations: [
    {
      ...acme,
      users: [
        ...(acme?.users ?? []).map((user) => ({
          ...user,
          email: { ...user.email, isEmailVerified: true },
          metadata: { salary: user.id === "u-bob" ? "92000" : "confidential" },
        })),
        person("eve", "acme.test"),
        person("olga", "acme.test", ["ORG_OWNER"]),
        person("settie", "acme.test", ["ORG_SETTINGS_MANAGER"]),
      ],
      machines: [
        machine("acme-iam", { roles: ["IAM_OWNER"] }),
        machine("acme-bot", { roles: ["ORG_OWNER"], ...withKey("k-acme") }),
        machine("acme-org-manager", { roles: ["IAM_ORG_MANAGER"] }),
        machine("acme-people", { roles: ["ORG_USER_MANAGER"] }),
        machine("acme-settings", { roles: ["ORG_SETTINGS_MANAGER"] }),
      ],
      projects: [
        {
          ...shop,
          name: "till-project",
          roles: [{ roleKey: "acme-admin", displayName: "till-administrator" }],
          apps: [...(shop?.apps ?? []), ...acmeApps],
        },
      ],
    },
    {
      id: "evil",
      name: "Evil",
      domains: [{ domain: "evil.test", verified: true, primary: true }],
      users: [...managers.map((name) => person(name, "evil.test", rolesOf(name))), person("carl", "evil.test")],
      machines: [
        ...managers.map((name) => machine(botOf(name), { roles: rolesOf(name) })),
        machine("evil-key-bot", { ...withKey("e1"), roles: ["ORG_OWNER"] }),
      ],
      projects: [
        { id: "pe", name: "Evil project", roles: [{ roleKey: "evil-admin", displayName: "E" }], apps: evilApps },
      ],
    },
    {
      id: "shop",
      name: "Bystander",
      domains: [{ domain: "shop.test", verified: true, primary: true }],
      users: [person("sam", "shop.test", ["ORG_OWNER"]), person("tess", "shop.test")],
      machines: [machine("shop-sam", { roles: ["ORG_OWNER"] })],
      projects: [{ id: "ps", name: "Shop", apps: [tokenApp("shop-web", { grantTypes: CODE })] }],
    },
  ],
};

/** Returns the roles of a manager. A role of projects belongs to a member of the project itself: see `giveProject`. */
function rolesOf(name: Manager): string[] {
  return MANAGERS[name] === "PROJECT_OWNER" ? [] : [MANAGERS[name]];
}

/** Makes `pete` and their machine owners of the project `pe` alone. */
export async function giveProject(service: TestService): Promise<void> {
  const token = await bearerOf(service, botOf("mallory"));
  for (const userId of ["u-pete", `m-${botOf("pete")}`]) {
    const body = { userId, roles: [MANAGERS.pete] };
    const { status } = await callApi(service, "POST", "/management/v1/projects/pe/members", { token, body });
    if (status !== 200) throw new Error(`${userId} got no project: ${status}`);
  }
}

/** Returns a token of a machine for the management APIs. */
export async function bearerOf(service: TestService, name: string): Promise<string> {
  const form = { grant_type: "client_credentials", scope: SERVICE_SCOPE };
  const answer = await postToken(service, form, basic(name, `${name}-${MACHINE_SECRET}`));
  const { access_token: token } = (await answer.json()) as Partial<Tokens>;
  if (token === undefined) throw new Error(`${name} got no token`);
  return token;
}

/** Calls the API as one machine. */
export type ApiCaller = (
  method: string,
  path: string,
  body?: unknown,
  organizationId?: string,
) => ReturnType<typeof callApi>;

export async function callerOf(service: TestService, name: string): Promise<ApiCaller> {
  let token = await bearerOf(service, name);
  let until = service.ctx.clock() + TOKEN_USE;
  return async (method, path, body, organizationId) => {
    if (service.ctx.clock() > until) {
      token = await bearerOf(service, name);
      until = service.ctx.clock() + TOKEN_USE;
    }
    const headers: Record<string, string> = organizationId === undefined ? {} : { "x-service-orgid": organizationId };
    return callApi(service, method, path, { token, body, headers });
  };
}

/** Milliseconds that a token is used before a new one is requested. */
const TOKEN_USE = 30 * 60_000;

/** Returns the login name of a user: `ada` and `bob` belong to ACME, the managers to evil. */
function loginNameOf(name: string): string {
  const organization = tenantsBootstrap.organizations.find(({ users }) => users?.some(({ id }) => id === `u-${name}`));
  return `${name}@${organization?.id ?? "nowhere"}.test`;
}

/** Returns the input of a user at sign-in. */
export const credentialsOf = (name: string) => ({ loginName: loginNameOf(name), password: PASSWORD });
