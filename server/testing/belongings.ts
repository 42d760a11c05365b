/**
 * The data of organizations: an object of every kind for each of them, and all rows that do not belong to the hostile
 * one, to check that nothing was changed.
 */
import { flushAttempts } from "../directory/sign-in-attempt/batch";
import { addAuthenticatorApp, enableSentCodes } from "../directory/user/second-factor";
import { insertPasskey } from "../storage/factor/passkeys";
import { Prisma } from "../storage/generated/sqlite/client";
import { SECRET } from "./example";
import { authorize, basic, postToken } from "./flow";
import { callerOf, credentialsOf, EVIL_CALLBACK } from "./tenants";
import type { TestService } from "./test-context";

/** Ids or names by kind of object. */
export type Belongings = Readonly<Record<string, string>>;

const OF = {
  acme: { user: "bob", machineId: "m-acme-bot", projectId: "p1", app: "own", callback: "https://rp.test/cb" },
  evil: { user: "carl", machineId: "m-evil-key-bot", projectId: "pe", app: "evil-web", callback: EVIL_CALLBACK },
} as const;
const ROLE = { acme: "acme-admin", evil: "evil-admin" } as const;

/** Ids and names that do not exist. The domain is ACME's, because strangers must not learn who has an account there. */
export const NOBODY: Belongings = {
  organizationId: "nobody-org",
  userId: "nobody-user",
  machineId: "nobody-machine",
  projectId: "nobody-project",
  appId: "nobody-app",
  clientId: "nobody-client",
  userGrantId: "nobody-grant",
  projectGrantId: "nobody-project-grant",
  tokenGrantId: "nobody-tokens",
  sessionId: "nobody-session",
  appKeyId: "nobody-key",
  machineKeyId: "nobody-key",
  tokenId: "nobody-pat",
  secretId: "nobody-secret",
  factorId: "nobody-factor",
  passkeyId: "nobody-passkey",
  messageId: "nobody-message",
  webKeyId: "nobody-web-key",
  providerId: "nobody-provider",
  smsProviderId: "nobody-provider",
  idpId: "nobody-provider",
  decisionId: "nobody-decision",
  textDraftId: "nobody-draft",
  domain: "nobody.test",
  loginName: "nobody@acme.test",
  userName: "nobody@acme.test",
  email: "nobody@acme.test",
  text: "nobody",
  name: "nobody-name",
  roleKey: "nobody-role",
  metadataKey: "nobody",
  scopeKey: "nobody-scope",
};

/** Creates an object of every kind in an organization and returns their ids and names. */
export async function furnish(service: TestService, organizationId: keyof typeof OF): Promise<Belongings> {
  const { user, machineId, projectId, app, callback } = OF[organizationId];
  const userId = `u-${user}`;
  const appId = `a-${app}`;
  const call = await callerOf(service, "acme-iam");
  const at = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, `/management/v1/${path}`, body, organizationId);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { loginName } = credentialsOf(user);
  const answer = await authorize(
    service.browser(),
    { client_id: app, redirect_uri: callback, scope: "openid offline_access" },
    { loginName },
  );
  const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: callback };
  await postToken(service, form, basic(app, SECRET));
  await addFactors(service, organizationId, userId);
  const roles = { roleKeys: [ROLE[organizationId]] };
  const { userGrantId } = await at("POST", `users/${userId}/grants`, { projectId, ...roles });
  const grant = { grantedOrgId: "shop", ...roles };
  const { grantId: projectGrantId } = await at("POST", `projects/${projectId}/grants`, grant);
  const onGrant = { userId, roles: ["PROJECT_GRANT_OWNER_VIEWER"] };
  await at("POST", `projects/${projectId}/grants/${projectGrantId}/members`, onGrant);
  const { keyId: machineKeyId } = await at("POST", `users/${machineId}/keys`, { type: "KEY_TYPE_JSON" });
  const { tokenId } = await at("POST", `users/${machineId}/pats`, {});
  const { id: appKeyId } = await at("POST", `projects/${projectId}/apps/${appId}/keys`, { type: "KEY_TYPE_JSON" });
  const { secretId } = await at("POST", `projects/${projectId}/apps/${appId}/oidc_config/_generate_client_secret`);
  await at("POST", `projects/${projectId}/members`, { userId, roles: ["PROJECT_OWNER_VIEWER"] });
  await at("POST", `users/${userId}/metadata/salary`, { value: "OTIwMDA=" });
  await at("PUT", "text/message/init/en", { title: `Salary of ${organizationId}` });
  await at("POST", "policies/texts", { requireTextApproval: true });
  const { draft } = await at("PUT", "text/login/en", { signIn: { title: `Salary of ${organizationId}` } });
  await at("PUT", "policies/texts", { requireTextApproval: false });
  await at("POST", "policies/lockout", { maxPasswordAttempts: 50 });
  await at("POST", `users/${userId}/password/_reset_notification`, {});
  const server = { senderAddress: loginName, host: "mail.test:587", user: "mailer", password: "Salary of mail" };
  const { id: providerId } = await at("POST", "email/smtp", server);
  const account = { sid: "AC0", token: "Salary of phones", senderNumber: "+15550001111" };
  const { id: smsProviderId } = await at("POST", "sms/twilio", account);
  const { id: idpId } = await at("POST", "idps/google", { clientId: "salary", clientSecret: "Salary of Google" });
  await at("POST", "policies/login/idps", { idpId });
  const decision = { kind: "CLIENT_DECISION_KIND_HOST", value: "salary.test", decision: "CLIENT_DECISION_FORBID" };
  const { id: decisionId } = await at("POST", "client_decisions", decision);
  const { messages } = await at("GET", "messages");
  const sessions = await at("POST", "sessions/_search", { queries: [{ userIdQuery: { userId } }] });
  const tokens = await at("POST", `users/${userId}/tokens/_search`, {});
  return {
    organizationId,
    userId,
    machineId,
    projectId,
    appId,
    clientId: app,
    userGrantId,
    projectGrantId,
    machineKeyId,
    tokenId,
    appKeyId,
    secretId,
    providerId,
    smsProviderId,
    idpId,
    decisionId,
    textDraftId: draft.id,
    messageId: messages[0].id,
    sessionId: sessions.result[0].id,
    tokenGrantId: tokens.result[0].id,
    factorId: `f-${userId}`,
    passkeyId: `k-${userId}`,
    webKeyId: "nobody-web-key",
    domain: `${organizationId}.test`,
    loginName,
    userName: loginName,
    email: loginName,
    text: user,
    name: user,
    roleKey: ROLE[organizationId],
    metadataKey: "salary",
    scopeKey: `${organizationId}-payroll`,
  };
}

/** Adds second factors. This comes last, because from then on a password alone does not sign the user in. */
async function addFactors({ ctx }: TestService, organizationId: string, id: string): Promise<void> {
  const user = { id, organizationId };
  const app = { id: `f-${id}`, secret: "JBSWY3DPEHPK3PXP", timeStep: 1, name: "Phone" };
  await addAuthenticatorApp({ ...ctx, origin: { actor: id } }, user, app);
  await enableSentCodes({ ...ctx, origin: { actor: id } }, user, "email");
  const key = { publicKey: "key", counter: 0, transports: "", aaguid: "", isMultiDevice: true, isBackedUp: false };
  const passkey = { id: `k-${id}`, userId: id, name: "Laptop", ...key, isUserVerified: true };
  await ctx.db.transaction((tx) => insertPasskey(tx, passkey, ctx.clock()));
}

type Row = Readonly<Record<string, unknown>>;
/** The rows that do not belong to the hostile organization, as text, by table. */
export type Rows = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads all tables of the models, so that new ones are included automatically. */
async function readTables({ ctx }: TestService): Promise<Map<string, Row[]>> {
  const models = ctx.db.prisma as unknown as Record<string, { findMany(): Promise<Row[]> }>;
  // Strangers may increase the counters that throttle them.
  const names = Object.values(Prisma.ModelName).filter((name) => name !== "Throttle");
  const rows = await Promise.all(names.map((name) => models[name[0]?.toLowerCase() + name.slice(1)]?.findMany()));
  return new Map(names.map((name, index) => [name, rows[index] ?? []]));
}

/**
 * Returns the rows of others. Rows that belong to no organization belong to the service, and no organization may
 * change them.
 */
export async function rowsOfOthers(service: TestService, hostile = "evil"): Promise<Rows> {
  await flushAttempts(service.ctx);
  const tables = await readTables(service);
  const owners = ownersOf(tables);
  return new Map(
    [...tables].map(([name, rows]) => {
      const others = rows.filter((row) => ownerOf(name, row, owners) !== hostile);
      return [name, new Set(others.map((row) => JSON.stringify(row)))];
    }),
  );
}

/** Returns the organization of every object that rows refer to. */
function ownersOf(tables: ReadonlyMap<string, Row[]>): Map<unknown, unknown> {
  const owners = new Map<unknown, unknown>();
  for (const { id } of tables.get("Organization") ?? []) owners.set(id, id);
  for (const name of ["User", "Project", "ProjectGrant", "App", "Session", "Grant"]) {
    for (const row of tables.get(name) ?? []) {
      const owner = ownerOf(name, row, owners);
      owners.set(row.id, owner);
      if (name === "User") owners.set(row.userName, owner);
      if (name === "App") owners.set(row.clientId, owner);
    }
  }
  return owners;
}

/** The columns that determine the owner of a row, the most specific first. */
const COLUMNS = ["organizationId", "ownerId", "resourceOwner", "levelId", "userId", "projectId", "appId", "grantId"];

function ownerOf(table: string, row: Row, owners: ReadonlyMap<unknown, unknown>): unknown {
  if (table === "Organization") return row.id;
  const column = [...COLUMNS, "subjectId", "sessionId", "clientId"].find((name) => typeof row[name] === "string");
  return column && (owners.get(row[column]) ?? row[column]);
}

/** Returns the added, removed and changed rows, one line each, up to a readable number. */
export function differences(before: Rows, after: Rows): string[] {
  return [...after]
    .flatMap(([name, rows]) => {
      const known = before.get(name) ?? new Set();
      const added = [...rows].filter((row) => !known.has(row)).map((row) => `${name} has ${row}`);
      return [...added, ...[...known].filter((row) => !rows.has(row)).map((row) => `${name} had ${row}`)];
    })
    .map((line) => line.slice(0, 300))
    .slice(0, 5);
}
