/**
 * The single entry point for assigning login names, for administrators, registration, import, renaming, the bootstrap
 * file and set-up. A login name belongs to one user of the whole service, and only the organization that has proven a
 * domain assigns login names in it; otherwise one tenant could have accounts that look like another's.
 *
 * A proven domain covers its subdomains, unless another organization has proven one of these, and all domains that look
 * like them. The rule for mail addresses is the same (member/privileges.ts).
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import type { ChangeContext, TransactionContext } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, isApiError } from "../../protocol/api-error";
import { lockDomains, readClosestOwner, readOrganization } from "../../storage/organization/organization";
import { readTakenLoginNames } from "../../storage/user/bulk";
import { readLoginNameOwner, type UserRow } from "../../storage/user/user";
import { claimId, claimMachineClientId, idTaken, readRefusedUserIds } from "../identifiers";
import { comparableDomain, comparableLoginName, loginName, lookAlikeOf, withParents } from "../names";
import { noSuchOrganization } from "../not-found";

type Keys = Pick<UserRow, "userName" | "userNameKey" | "userNameDomain" | "loginNameKey">;

declare const isFree: unique symbol;

/** A name that the organization may assign and that no other user has; only this file creates one. */
export interface FreeLoginName extends Keys {
  /** For a machine whose user name is another's client id; null if the client id is the user name. */
  readonly clientId?: string | null;
  readonly [isFree]: true;
}

/** The identity of a new user: an unused id, and a free login name. */
export interface UserIdentity extends FreeLoginName {
  id: string;
  organizationId: string;
}

export const nameTaken = () =>
  alreadyExists("user.already_exists", "This username is already taken. Choose another.", { field: "userName" });
const foreignDomain = () =>
  failedPrecondition(
    "user.domain_taken",
    "The user name ends in a domain that another organization has verified. Choose another.",
    {
      field: "userName",
    },
  );

/** Returns the keys by which a user is found. */
export function userKeys(userName: string, primaryDomain: string): Keys {
  const userNameKey = comparableLoginName(userName);
  return {
    userName,
    userNameKey,
    userNameDomain: userNameKey.includes("@") ? userNameKey.slice(userNameKey.lastIndexOf("@") + 1) : null,
    loginNameKey: comparableLoginName(loginName(userName, primaryDomain)),
  };
}

const asFree = (keys: Keys): FreeLoginName => keys as FreeLoginName;

export interface NamingOrganization {
  id: string;
  domains: readonly { domain: string; isPrimary: boolean }[];
}

const primaryDomainOf = ({ domains }: Pick<NamingOrganization, "domains">): string =>
  domains.find(({ isPrimary }) => isPrimary)?.domain ?? "";

/**
 * Checks that a user name is free.
 * @param ownId the user who may have the name already
 */
export async function freeLoginName(
  ctx: TransactionContext,
  organization: NamingOrganization,
  userName: string,
  ownId?: string,
): Promise<FreeLoginName | ApiError> {
  const keys = userKeys(userName, primaryDomainOf(organization));
  if (keys.userNameDomain !== null) await lockDomains(ctx.db, ctx.tx, withParents(keys.userNameDomain));
  if (await findForeignOwner(ctx, organization.id, keys.userNameDomain)) return foreignDomain();
  const other = await readLoginNameOwner(ctx.tx, keys.loginNameKey);
  return (other ?? ownId) === ownId ? asFree(keys) : nameTaken();
}

export interface WantedUser {
  kind: "human" | "machine";
  /** Undefined to generate one. */
  id?: string;
  /** An id that was reserved for this user during registration. */
  reservedId?: string;
  organizationId: string;
  userName: string;
}

/** Claims the identity of a new user, in the transaction that adds the user. */
export async function claimIdentity(
  ctx: ChangeContext,
  { kind, id: givenId, reservedId, organizationId, userName }: WantedUser,
): Promise<UserIdentity | ApiError> {
  const organization = await readOrganization(ctx.tx, organizationId);
  if (!organization) return noSuchOrganization();
  const name = await freeLoginName(ctx, organization, userName);
  if (isApiError(name)) return name;
  const id = reservedId ?? (await claimId(ctx, { kind: "user", id: givenId, organizationId }));
  if (isApiError(id)) return id;
  const claimed = kind === "machine" ? await claimMachineName(ctx, { id, organizationId }, name) : name;
  return isApiError(claimed) ? claimed : { ...claimed, id, organizationId };
}

/**
 * Returns the identities that many new users would get, or errors. If two have the same name or id, the first one gets
 * it. The ids are not claimed yet.
 */
export async function proposeIdentities(
  ctx: TransactionContext,
  organization: NamingOrganization,
  people: readonly { id?: string; userName: string }[],
): Promise<(UserIdentity | ApiError)[]> {
  const keyed = people.map(({ id, userName }) => ({ id, keys: userKeys(userName, primaryDomainOf(organization)) }));
  const refusedIds = await readRefusedUserIds(
    ctx.tx,
    keyed.flatMap(({ id }) => id ?? []),
  );
  const names = await readTakenLoginNames(
    ctx.tx,
    keyed.map(({ keys }) => keys.loginNameKey),
  );
  const foreign = new Set<string>();
  for (const domain of new Set(keyed.flatMap(({ keys }) => keys.userNameDomain ?? []))) {
    await lockDomains(ctx.db, ctx.tx, withParents(domain));
    if ((await findForeignOwner(ctx, organization.id, domain)) !== undefined) foreign.add(domain);
  }
  const ids = new Set<string>();
  return keyed.map(({ id = newId(), keys }) => {
    if (refusedIds.has(id) || ids.has(id)) return idTaken("user");
    if (names.has(keys.loginNameKey)) return nameTaken();
    if (keys.userNameDomain !== null && foreign.has(keys.userNameDomain)) return foreignDomain();
    ids.add(id);
    names.add(keys.loginNameKey);
    return { ...asFree(keys), id, organizationId: organization.id };
  });
}

/** Claims the name of a machine, with the client id that results from it. */
export async function claimMachineName(
  ctx: ChangeContext,
  { id, organizationId }: { id: string; organizationId: string },
  name: FreeLoginName,
): Promise<FreeLoginName | ApiError> {
  const claimed = await claimMachineClientId(ctx, { id, organizationId, userName: name.userName });
  return isApiError(claimed) ? claimed : { ...name, ...claimed };
}

/**
 * Returns the owner of the domain of a name, if it is not this organization: another organization that has proven the
 * domain or the one it looks like, or the service, for temporary names.
 * @param domain as in `userKeys`; null for a name without one, which the organization's own domain completes
 */
export async function findForeignOwner(
  ctx: TransactionContext,
  organizationId: string,
  domain: string | null,
): Promise<string | undefined> {
  if (domain === null) return undefined;
  if (domain === temporaryDomain(ctx)) return "the service";
  const owner = await readClosestOwner(ctx.tx, withParents(domain));
  if (owner !== undefined) return owner === organizationId ? undefined : owner;
  const alike = lookAlikeOf(domain);
  const shown = alike === undefined ? undefined : await readClosestOwner(ctx.tx, withParents(alike));
  return shown === organizationId ? undefined : shown;
}

/** Returns the domain of the temporary names of users whose domain was claimed. */
export function temporaryDomain(ctx: Context): string {
  return `temporary.${comparableDomain(new URL(ctx.config.baseUrl).hostname) ?? "localhost"}`;
}
