/** Applies users and machines of the bootstrap file: their data, their roles, their keys. */

import { nextTurn } from "../concurrency/pauses";
import { hashPassword } from "../crypto/password-hash";
import { addMembership, changeMemberLanguages, isSameLimit, levelOfRole } from "../directory/member/membership";
import { isTextRole, type MemberRole } from "../directory/member/roles";
import { comparableLoginName } from "../directory/names";
import {
  claimIdentity,
  claimMachineName,
  type FreeLoginName,
  findForeignOwner,
  freeLoginName,
  type UserIdentity,
  userKeys,
} from "../directory/user/login-name";
import {
  addMachine,
  addMachineKey,
  changeMachine,
  changeMachineKey,
  type MachineFields,
} from "../directory/user/machine";
import { addPerson, changePerson, type PersonFields } from "../directory/user/user";
import { reason } from "../protocol/reason";
import type { Transaction } from "../storage/database";
import { readOrganization } from "../storage/organization/organization";
import { readLoginNameOwner, readUsers, type UserWithParts } from "../storage/user/user";
import { checkAddresses, domainOf } from "./contradictions";
import { BootstrapMistakes, failAt, orFail } from "./mistakes";
import type { AppliedOrganization } from "./organizations";
import type { Run } from "./run";
import type { MachineEntry, PersonEntry } from "./schema";
import { applyMetadata } from "./user-grants";

type UserEntry = { id?: string; userName: string; roles?: readonly MemberRole[]; roleLanguages?: readonly string[] };

/** Finds the stored users of the entries: by id if given, else by user name in the organization. */
export async function matchUsers(
  tx: Transaction,
  organizationId: string,
  entries: readonly UserEntry[],
): Promise<(entry: UserEntry) => UserWithParts | undefined> {
  const wanted = entries.map(({ id, userName }) => ({ id, userNameKey: comparableLoginName(userName) }));
  const stored = await readUsers(tx, organizationId, wanted);
  const byId = new Map(stored.map((user) => [user.id, user]));
  const byName = new Map(
    stored.filter((user) => user.organizationId === organizationId).map((user) => [user.userNameKey, user]),
  );
  return ({ id, userName }) => (id === undefined ? byName.get(comparableLoginName(userName)) : byId.get(id));
}

export async function applyPeople(
  run: Run,
  organization: AppliedOrganization,
  entries: readonly PersonEntry[],
  path: string,
): Promise<void> {
  const { ctx, report } = run;
  const match = await matchUsers(ctx.tx, organization.id, entries);
  for (const [index, entry] of entries.entries()) {
    await nextTurn();
    const at = `${path}[${index}]`;
    const who = await identify(run, organization, "human", entry, match(entry), at);
    if (!who) continue;
    const { stored, loginName } = who;
    const fields = toPersonFields(entry, stored);
    const name = `user ${entry.userName}`;
    if (!stored) {
      const person = { ...fields, passwordHash: await passwordHash(run, entry, at) };
      await addPerson(ctx, who.identity, person);
      report.created.push(name);
    } else if (await changePerson(ctx, stored, { ...fields, loginName })) report.updated.push(name);
    const { id } = stored ?? who.identity;
    await applyRoles(run, organization.id, id, stored, entry);
    const owner = { kind: "user", id, organizationId: organization.id } as const;
    await applyMetadata(run, owner, entry.userName, entry.metadata);
  }
}

export async function applyMachines(
  run: Run,
  organization: AppliedOrganization,
  entries: readonly MachineEntry[],
  path: string,
): Promise<void> {
  const { ctx, report } = run;
  const match = await matchUsers(ctx.tx, organization.id, entries);
  for (const [index, entry] of entries.entries()) {
    await nextTurn();
    const at = `${path}[${index}]`;
    const who = await identify(run, organization, "machine", entry, match(entry), at);
    if (!who) continue;
    const mistakes = checkAddresses({ jwksUri: entry.jwksUri, devMode: true }, at, ctx.config);
    if (mistakes.length > 0) throw new BootstrapMistakes(mistakes);
    const { stored, loginName } = who;
    const { userName, name = stored ? undefined : userName, description, secret } = entry;
    const { accessTokenType, legacyAssertionAudience, jwksUri } = entry;
    const fields: MachineFields = { name, description, accessTokenType, legacyAssertionAudience, jwksUri };
    if (!stored) {
      await addMachine(ctx, who.identity, { ...fields, secret });
      report.created.push(`machine ${userName}`);
    } else if (await changeMachine(ctx, stored, { ...fields, loginName })) {
      report.updated.push(`machine ${userName}`);
    }
    const owner = { id: (stored ?? who.identity).id, organizationId: organization.id };
    await applyKeys(run, owner, stored, entry);
    await applyRoles(run, organization.id, owner.id, stored, entry);
    await applyMetadata(run, { kind: "user", ...owner }, userName, entry.metadata);
  }
}

/** The user of an entry: a new one, or a stored one, perhaps with a new name. */
type Identified =
  | { stored: undefined; identity: UserIdentity; loginName?: undefined }
  | { stored: UserWithParts; loginName: FreeLoginName | undefined };

/**
 * Identifies the user. @returns undefined if the user cannot be created, as another organization has claimed the domain
 * of the name
 */
async function identify(
  run: Run,
  organization: AppliedOrganization,
  kind: "human" | "machine",
  entry: UserEntry,
  stored: UserWithParts | undefined,
  path: string,
): Promise<Identified | undefined> {
  const { ctx } = run;
  const { id, userName } = entry;
  if (stored) checkMatch(organization, kind, entry, stored, path);
  if (stored?.userName === userName) return { stored, loginName: undefined };
  const claimedBy = await findClaimant(run, organization, entry);
  if (claimedBy !== undefined) {
    const outcome = stored ? "keeps the name given since" : "is not created";
    run.report.warnings.push(`${path}.userName: ${userName} ${outcome}: organization ${claimedBy} has that domain`);
    return stored && { stored, loginName: undefined };
  }
  await checkLoginName(run, organization, entry, stored, path);
  const organizationId = organization.id;
  if (!stored) {
    const identity = await claimIdentity(ctx, { kind, id, organizationId, userName });
    return { stored, identity: orFail(identity, path) };
  }
  const known = await readOrganization(ctx.tx, organizationId);
  if (!known) throw new Error("the organization has just been applied");
  const loginName = orFail(await freeLoginName(ctx, known, userName, stored.id), path);
  if (kind !== "machine") return { stored, loginName };
  return { stored, loginName: orFail(await claimMachineName(ctx, stored, loginName), path) };
}

/** Rejects entries that match a user of another organization, or one of another kind. */
function checkMatch(
  organization: AppliedOrganization,
  kind: "human" | "machine",
  entry: UserEntry,
  stored: UserWithParts,
  path: string,
): void {
  const field = entry.id === undefined ? "userName" : "id";
  if (stored.organizationId !== organization.id)
    failAt(`${path}.${field}`, reason("elsewhere", { what: "organization" }));
  if (stored.kind === kind) return;
  failAt(`${path}.${field}`, reason("other_kind", { kind: stored.kind === "human" ? "person" : "machine" }));
}

/**
 * Returns the other organization that has verified the domain of a user name and thereby reserved the name. The file
 * may be older than that claim, which must neither be undone nor prevent the start of the service.
 */
async function findClaimant(run: Run, { id }: AppliedOrganization, entry: UserEntry): Promise<string | undefined> {
  const domain = domainOf(entry.userName);
  if (domain === undefined) return undefined;
  const key = `${id} ${domain}`;
  if (!run.domainOwners.has(key)) run.domainOwners.set(key, await findForeignOwner(run.ctx, id, domain));
  return run.domainOwners.get(key);
}

/** Rejects a login name of another user; the operator may learn whose it is. */
async function checkLoginName(
  run: Run,
  organization: AppliedOrganization,
  entry: UserEntry,
  stored: UserWithParts | undefined,
  path: string,
): Promise<void> {
  const { loginNameKey, userName } = userKeys(entry.userName, organization.primaryDomain);
  const owner = await readLoginNameOwner(run.ctx.tx, loginNameKey);
  if (owner !== undefined && owner !== stored?.id) {
    failAt(`${path}.userName`, reason("login_name_of", { name: userName, owner }));
  }
}

/** Returns the hash, which was usually computed beforehand, unless the user existed then but has been removed since. */
async function passwordHash(run: Run, { password }: PersonEntry, path: string): Promise<string | undefined> {
  return run.passwordHashes.get(path) ?? (password === undefined ? undefined : hashPassword(password));
}

async function applyKeys(
  run: Run,
  machine: { id: string; organizationId: string },
  stored: UserWithParts | undefined,
  entry: MachineEntry,
): Promise<void> {
  const { ctx, report } = run;
  for (const { keyId, publicKey, expirationDate } of entry.keys ?? []) {
    const key = { keyId, publicJwk: publicKey, expiresAt: expirationDate };
    const known = stored?.machineKeys.find((row) => row.id === keyId);
    const name = `key ${keyId} of machine ${entry.userName}`;
    if (!known) {
      await addMachineKey(ctx, machine, key);
      report.created.push(name);
    } else if (await changeMachineKey(ctx, machine, known, key)) report.updated.push(name);
  }
}

async function applyRoles(
  run: Run,
  organizationId: string,
  userId: string,
  stored: UserWithParts | undefined,
  entry: UserEntry,
): Promise<void> {
  for (const role of entry.roles ?? []) {
    const languages = entry.roleLanguages && (entry.roleLanguages.length > 0 ? [...entry.roleLanguages].sort() : null);
    const membership = { userId, role, languages, instanceId: run.instance.id, organizationId };
    const { level, levelId } = levelOfRole(membership);
    const known = stored?.memberships.find(
      (row) => row.role === role && row.level === level && row.levelId === levelId,
    );
    if (known) {
      if (languages === undefined || !isTextRole(role) || isSameLimit(known.languages, languages)) continue;
      const change = { userId, role, from: known.languages, to: languages };
      await changeMemberLanguages(run.ctx, organizationId, change);
      run.report.updated.push(`${role} of ${entry.userName}`);
      continue;
    }
    await addMembership(run.ctx, membership);
    run.report.created.push(`${role} of ${entry.userName}`);
  }
}

/**
 * Converts the members of an entry to columns. Omitted members keep their value, including single claims and parts of
 * the address. A changed email address does not remain verified.
 */
function toPersonFields(entry: PersonEntry, stored: UserWithParts | undefined): PersonFields {
  const { profile, claims, address, email, phone } = entry;
  return {
    ...profile,
    claims: claims && ({ ...(stored?.claims as object | undefined), ...claims } as PersonFields["claims"]),
    address: address && ({ ...(stored?.address as object | undefined), ...address } as PersonFields["address"]),
    email: email?.email,
    isEmailVerified: email?.isEmailVerified ?? (isAnother(email?.email, stored?.email) ? false : undefined),
    phone: phone?.phone,
    isPhoneVerified: phone?.isPhoneVerified ?? (isAnother(phone?.phone, stored?.phone) ? false : undefined),
  };
}

const isAnother = (given: string | undefined, stored: string | null | undefined): boolean =>
  given !== undefined && stored !== undefined && given !== stored;
