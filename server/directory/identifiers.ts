/**
 * Identifiers are assigned once in the whole service and never again, even after their object was removed (OIDC Core §2
 * and §5.7: a subject is never reassigned). Otherwise a tenant could take the id of a user that another tenant removed,
 * and relying parties would mistake the new user for the old one. Every creation claims its identifiers here, in its
 * own transaction and with conditional inserts.
 *
 * Two spaces hold identifiers of several kinds, compared in one form: `client`, for values of `aud` and of client
 * authentication (client ids, project ids, machine names), and `subject`, for values of `sub` (user ids, and the client
 * ids of apps that act for themselves, RFC 9700 §4.15).
 */
import { newId } from "../crypto/random";
import type { ChangeContext, Origin, TransactionContext } from "../events/record";
import { type ApiError, alreadyExists, invalidArgument } from "../protocol/api-error";
import { type Reason, sentenceOf } from "../protocol/reason";
import type { RefusalId } from "../protocol/refusals";
import type { Transaction } from "../storage/database";
import { readAggregate } from "../storage/event/event";
import {
  type IdentifierClaim,
  insertIdentifierClaims,
  insertObjectClaims,
  readGivenIds,
  readIdentifierClaims,
  type StoredClaim,
} from "../storage/identifiers";
import { readInstanceId } from "../storage/instance/instance";
import { comparableLoginName } from "./names";
import { whyReserved } from "./reserved-names";

/** Actors of the audit trail that are not users. A user with such an id could be mistaken for them. */
const ACTORS: ReadonlySet<string> = new Set(["bootstrap", "operator", "system"]);
/** Words that other programs use for an unidentified user. */
const NOBODY: ReadonlySet<string> = new Set(["anonymous", "unknown"]);

/**
 * Returns whether the operator makes the change. The operator may recreate what was removed from the same organization
 * (rule ID-2).
 */
const isOperators = ({ actor }: Origin): boolean => actor === "bootstrap" || actor === "operator";

export type ObjectKind = "user" | "app" | "project" | "organization";

export interface WantedId {
  kind: ObjectKind;
  /** Undefined to generate one. */
  id: string | undefined;
  /** The owner of the object; for an organization, its own id. */
  organizationId: string;
}

/** Returns the id of a new object, or an error if the id is reserved or was ever assigned to an object of the kind. */
export async function claimId(ctx: ChangeContext, wanted: WantedId): Promise<string | ApiError> {
  const { kind, id, organizationId } = wanted;
  if (id === undefined) return newId(); // 74 random bits, which cannot have been claimed before
  if (await isReservedId(ctx.tx, kind, id)) return idTaken(kind);
  const free = await insertObjectClaims(ctx.tx, [{ type: kind, id, organizationId }], ctx.clock());
  if (!free.has(id)) {
    const previous = await readAggregate(ctx.tx, kind, id);
    if (!isOperators(ctx.origin) || previous?.resourceOwner !== organizationId) return idTaken(kind);
  }
  if (kind !== "user") return id;
  const subject = { space: "subject", key: comparableLoginName(id), kind: "user", organizationId } as const;
  return (await claim(ctx, subject)) ? id : idTaken(kind);
}

/**
 * Returns which of these ids a new user may not have: reserved ids, assigned ids, and those that differ from an earlier
 * one only in spelling.
 */
export async function readRefusedUserIds(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  const given = await readGivenIds(tx, "user", ids);
  const claimed = await readIdentifierClaims(tx, "subject", ids.map(comparableLoginName));
  const refused = new Set<string>();
  const before = new Map<string, string>();
  for (const id of ids) {
    const key = comparableLoginName(id);
    const first = before.get(key) ?? id;
    before.set(key, first);
    // If a request contains two spellings, only the first one is accepted.
    if (given.has(id) || claimed.has(key) || first !== id || (await isReservedId(tx, "user", id))) refused.add(id);
  }
  return refused;
}

/** Claims the ids of many new users. Rejects (unique constraint) if one of them was claimed since they were read. */
export async function claimUserIds(
  ctx: TransactionContext,
  ids: readonly string[],
  organizationId: string,
): Promise<void> {
  const objects = ids.map((id) => ({ type: "user", id, organizationId }));
  const subjects = ids.map((id) => {
    return { space: "subject", key: comparableLoginName(id), kind: "user", organizationId } as const;
  });
  await insertObjectClaims(ctx.tx, objects, ctx.clock(), "fail");
  await insertIdentifierClaims(ctx.tx, subjects, ctx.clock(), "fail");
}

/** Returns whether the id denotes the service itself, or would give access to settings of the service. */
async function isReservedId(tx: Transaction, kind: ObjectKind, id: string): Promise<boolean> {
  const key = comparableLoginName(id);
  if (kind === "project") return false; // the id is checked as a client identifier
  if (whyReserved(id) !== undefined) return true;
  if (kind === "user") return ACTORS.has(key) || NOBODY.has(key);
  // Texts, policies and pictures belong to an organization or the instance, distinguished only by their ids.
  return kind === "organization" && (ACTORS.has(key) || key === comparableLoginName(await readInstanceId(tx)));
}

export interface WantedClientIdentifier {
  kind: "app" | "project";
  /** The client id or project id. */
  name: string;
  organizationId: string;
}

/** Claims the name of a client or an audience. */
export async function claimClientIdentifier(
  ctx: ChangeContext,
  { kind, name, organizationId }: WantedClientIdentifier,
): Promise<ApiError | undefined> {
  const reason = whyReserved(name);
  if (reason !== undefined) return CLIENT_REFUSALS[kind].reserved(reason);
  const key = comparableLoginName(name);
  const isFree =
    (await claim(ctx, { space: "client", key, kind, organizationId })) &&
    (kind !== "app" || (await claimSubject(ctx, { name, key, organizationId })));
  return isFree ? undefined : CLIENT_REFUSALS[kind].taken();
}

/**
 * Claims the client id of a machine: its user name if that is free (rule ID-4). Each tenant names its machines freely,
 * so a name that a machine of another organization has is accepted. The client id is then the user id, because client
 * ids are unique (RFC 6749 §2.2; attack: a machine that APIs mistake for another tenant's by `client_id`).
 */
export async function claimMachineClientId(
  ctx: ChangeContext,
  { id, userName, organizationId }: { id: string; userName: string; organizationId: string },
): Promise<{ clientId: string | null } | ApiError> {
  const reason = whyReserved(userName);
  if (reason !== undefined) return CLIENT_REFUSALS.machine.reserved(reason);
  const wanted = { space: "client", key: comparableLoginName(userName), kind: "machine", organizationId } as const;
  if (await claim(ctx, wanted)) return { clientId: null };
  const holder = (await readIdentifierClaims(ctx.tx, "client", [wanted.key])).get(wanted.key);
  const isFree = holder?.kind === "machine" && (await claim(ctx, { ...wanted, key: comparableLoginName(id) }));
  return isFree ? { clientId: id } : CLIENT_REFUSALS.machine.taken();
}

/** Claims a client id as the subject of the tokens that an app gets for itself; it must not be a user's id. */
async function claimSubject(
  ctx: ChangeContext,
  { name, key, organizationId }: { name: string; key: string; organizationId: string },
): Promise<boolean> {
  // Users with generated ids are not in this space, because no one else could have known the id before.
  if (await readAggregate(ctx.tx, "user", name)) return false;
  return claim(ctx, { space: "subject", key, kind: "app", organizationId });
}

async function claim(ctx: ChangeContext, wanted: IdentifierClaim): Promise<boolean> {
  if ((await insertIdentifierClaims(ctx.tx, [wanted], ctx.clock())).has(wanted.key)) return true;
  const holder = (await readIdentifierClaims(ctx.tx, wanted.space, [wanted.key])).get(wanted.key);
  return holder !== undefined && mayShare(holder, wanted, ctx.origin);
}

function mayShare(holder: StoredClaim, { kind, organizationId }: IdentifierClaim, origin: Origin): boolean {
  if (holder.kind !== kind || holder.organizationId !== organizationId) return false;
  return kind === "machine" || isOperators(origin);
}

/** The name of the field with the id. */
const ID_FIELDS = { user: "userId", app: "appId", project: "id", organization: "id" } as const;

/**
 * Returns the error for an id that is taken. It is the same for existing and removed objects and for all owners, so
 * that nothing is disclosed about others.
 */
export const idTaken = (kind: ObjectKind): ApiError =>
  alreadyExists(`${kind}.id_taken`, "This ID was used before, and an ID is never given twice. Choose another.", {
    field: ID_FIELDS[kind],
  });

const clientIdTaken = (id: RefusalId, field: string) =>
  alreadyExists(
    id,
    "This identifier was used before. Client IDs, project IDs and names of machines are given once, whatever their upper and lower case. Choose another.",
    { field },
  );

const CLIENT_REFUSALS = {
  app: {
    taken: () => clientIdTaken("app.client_id_taken", "clientId"),
    reserved: (why: Reason) =>
      invalidArgument("app.reserved_client_id", `The client id ${sentenceOf(why)}.`, { field: "clientId" }),
  },
  project: {
    taken: () => clientIdTaken("project.id_taken", "id"),
    reserved: (why: Reason) => invalidArgument("project.reserved_name", `The id ${sentenceOf(why)}.`, { field: "id" }),
  },
  machine: {
    taken: () => clientIdTaken("user.client_id_taken", "userName"),
    reserved: (why: Reason) =>
      invalidArgument("user.reserved_name", `The user name ${sentenceOf(why)}.`, { field: "userName" }),
  },
} as const;
