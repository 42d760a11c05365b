/** People and machines of the bootstrap file: their data, their roles, their keys. */
import { hashPassword } from "../crypto/password-hash";
import { addMembership, levelOf } from "../directory/member/membership";
import type { MemberRole } from "../directory/member/roles";
import { comparableLoginName } from "../directory/names";
import {
  addMachine,
  addMachineKey,
  changeMachine,
  changeMachineKey,
  type MachineFields,
} from "../directory/user/machine";
import { addPerson, changePerson, type PersonFields, userKeys } from "../directory/user/user";
import { readAppByClientId } from "../storage/apps";
import type { Transaction } from "../storage/database";
import { readVerifiedOwner } from "../storage/organizations";
import { readLoginNameOwner, readMachineByName, readUsers, type UserWithParts } from "../storage/users";
import { nextTurn } from "../work/pauses";
import { domainOf } from "./check";
import { fail } from "./mistakes";
import type { AppliedOrganization } from "./organizations";
import type { Run } from "./run";
import type { MachineEntry, PersonEntry } from "./schema";
import { applyMetadata } from "./user-grants";

type UserEntry = { id?: string; userName: string; roles?: readonly MemberRole[] };

/** Finds the stored users that the entries mean: by id if one is given, else by user name in the organization. */
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
  const { ctx, tx, report } = run;
  const match = await matchUsers(tx, organization.id, entries);
  for (const [index, entry] of entries.entries()) {
    await nextTurn();
    const at = `${path}[${index}]`;
    const stored = match(entry);
    const claimedBy = stored?.userName === entry.userName ? undefined : await findClaimant(run, organization, entry);
    if (claimedBy !== undefined) {
      const outcome = stored ? "keeps the name given since" : "is not created";
      report.warnings.push(`${at}.userName: ${entry.userName} ${outcome}: organization ${claimedBy} has that domain`);
      if (!stored) continue;
    }
    const fields = { ...toPersonFields(entry, stored), ...(claimedBy === undefined ? {} : { userName: undefined }) };
    if (claimedBy === undefined) await checkMatch(run, organization, "human", entry, stored, at);
    const name = `user ${entry.userName}`;
    let userId = stored?.id;
    if (!stored) {
      const { id, userName } = entry;
      const person = {
        ...fields,
        id,
        userName,
        organizationId: organization.id,
        primaryDomain: organization.primaryDomain,
      };
      userId = await addPerson(ctx, tx, { ...person, passwordHash: await passwordHash(run, entry, at) }, run.origin);
      report.created.push(name);
    } else if (await changePerson(ctx, tx, stored, fields, organization.primaryDomain, run.origin)) {
      report.updated.push(name);
    }
    await applyRoles(run, organization.id, userId ?? "", stored, entry);
    await applyMetadata(run, { id: userId ?? "", organizationId: organization.id }, entry);
  }
}

export async function applyMachines(
  run: Run,
  organization: AppliedOrganization,
  entries: readonly MachineEntry[],
  path: string,
): Promise<void> {
  const { ctx, tx, report } = run;
  const { primaryDomain } = organization;
  const match = await matchUsers(tx, organization.id, entries);
  for (const [index, entry] of entries.entries()) {
    await nextTurn();
    const at = `${path}[${index}]`;
    const stored = match(entry);
    await checkMatch(run, organization, "machine", entry, stored, at);
    await checkClientId(run, entry, stored, at);
    const { id, userName, name = stored ? undefined : userName, description, accessTokenType, secret } = entry;
    const fields: MachineFields & { userName: string } = { userName, name, description, accessTokenType };
    let userId = stored?.id;
    if (!stored) {
      const machine = { ...fields, id, organizationId: organization.id, primaryDomain, secret };
      userId = await addMachine(ctx, tx, machine, run.origin);
      report.created.push(`machine ${userName}`);
    } else if (await changeMachine(ctx, tx, stored, fields, primaryDomain, run.origin)) {
      report.updated.push(`machine ${userName}`);
    }
    const owner = { id: userId ?? "", organizationId: organization.id };
    await applyKeys(run, owner, stored, entry);
    await applyRoles(run, organization.id, owner.id, stored, entry);
    await applyMetadata(run, owner, entry);
  }
}

/**
 * The other organization that has verified the domain of a user name and thereby reserved the name. The file may be
 * older than that claim, which must neither be undone nor keep the service from starting.
 */
async function findClaimant(run: Run, { id }: AppliedOrganization, entry: UserEntry): Promise<string | undefined> {
  const domain = domainOf(entry.userName);
  if (domain === undefined) return undefined;
  if (!run.domainOwners.has(domain)) run.domainOwners.set(domain, await readVerifiedOwner(run.tx, domain));
  const owner = run.domainOwners.get(domain);
  return owner === id ? undefined : owner;
}

/** Usually hashed beforehand, unless the user existed then but has been removed since. */
async function passwordHash(run: Run, { password }: PersonEntry, path: string): Promise<string | undefined> {
  return run.passwordHashes.get(path) ?? (password === undefined ? undefined : hashPassword(password));
}

/** Refuses ids and names that belong to somebody else, before anything is written. */
async function checkMatch(
  run: Run,
  organization: AppliedOrganization,
  kind: "human" | "machine",
  entry: UserEntry,
  stored: UserWithParts | undefined,
  path: string,
): Promise<void> {
  const field = entry.id === undefined ? "userName" : "id";
  if (stored && stored.organizationId !== organization.id) fail(`${path}.${field}`, "belongs to another organization");
  if (stored && stored.kind !== kind) {
    fail(`${path}.${field}`, `belongs to a ${stored.kind === "human" ? "person" : "machine"} already`);
  }
  const { loginNameKey, userName } = userKeys(entry.userName, organization.primaryDomain);
  if (stored?.loginNameKey === loginNameKey) return;
  const owner = await readLoginNameOwner(run.tx, loginNameKey);
  if (owner !== undefined && owner !== stored?.id) {
    fail(`${path}.userName`, `the login name of ${userName} is taken by user ${owner}`);
  }
}

/** A machine's client id is its user name, so no app and no other machine may have the same. */
async function checkClientId(
  { tx }: Run,
  { userName }: MachineEntry,
  stored: UserWithParts | undefined,
  path: string,
): Promise<void> {
  if (stored?.userName === userName) return;
  if (await readAppByClientId(tx, userName)) fail(`${path}.userName`, "is the client id of an app already");
  const owner = await readMachineByName(tx, comparableLoginName(userName));
  if (owner !== undefined && owner !== stored?.id)
    fail(`${path}.userName`, "is the client id of another machine already");
}

async function applyKeys(
  run: Run,
  machine: { id: string; organizationId: string },
  stored: UserWithParts | undefined,
  entry: MachineEntry,
): Promise<void> {
  const { ctx, tx, report } = run;
  for (const { keyId, publicKey, expirationDate } of entry.keys ?? []) {
    const key = { keyId, publicJwk: publicKey, expiresAt: expirationDate };
    const known = stored?.machineKeys.find((row) => row.id === keyId);
    const name = `key ${keyId} of machine ${entry.userName}`;
    if (!known) {
      await addMachineKey(ctx, tx, machine, key, run.origin);
      report.created.push(name);
    } else if (await changeMachineKey(ctx, tx, machine, known, key, run.origin)) report.updated.push(name);
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
    const membership = { userId, role, instanceId: run.instance.id, organizationId };
    const { level, levelId } = levelOf(membership);
    const known = stored?.memberships.some(
      (row) => row.role === role && row.level === level && row.levelId === levelId,
    );
    if (known) continue;
    await addMembership(run.ctx, run.tx, membership, run.origin);
    run.report.created.push(`${role} of ${entry.userName}`);
  }
}

/**
 * The members of an entry as columns. What the entry leaves out keeps its value, including single claims and parts of
 * the address. A changed e-mail address does not stay verified.
 */
function toPersonFields(entry: PersonEntry, stored: UserWithParts | undefined): PersonFields {
  const { userName, profile, claims, address, email, phone } = entry;
  return {
    userName,
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
