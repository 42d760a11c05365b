/**
 * People. One statement finds the person who signs in. Names are compared in one form (names.ts), so that no two
 * accounts have names that people would consider equal.
 */

import { composeName } from "../../../messages/person-name";
import { mapInSlices } from "../../concurrency/pauses";
import type { Context } from "../../context";
import type { EventPayload } from "../../events/catalogue";
import { difference } from "../../events/difference";
import { type ChangeContext, noteChange, recordIn, recordManyIn } from "../../events/record";
import type { ClaimsSource } from "../../protocol/claims";
import { insertUsers } from "../../storage/user/bulk";
import { type ClaimsRow, findClaimsRow } from "../../storage/user/claims";
import { voidOneTimeTokens } from "../../storage/user/one-time-tokens";
import {
  findPerson,
  listPeopleNamed,
  type NamedPerson,
  type NameScope,
  type PersonRow,
} from "../../storage/user/sign-in-names";
import { insertUser, type UserRow, updateUser } from "../../storage/user/user";
import { NOT_ME_PURPOSE } from "../mailed-code/not-me-link";
import { comparableLoginName, withParents } from "../names";
import { isTrustedByAll, trustAfter } from "./email-trust";
import type { FreeLoginName, UserIdentity } from "./login-name";
import { contactNotices } from "./notices";
import { addWords, changeWords, displayNameKey } from "./search-terms";
import { notAhead } from "./valid-from";

/** UTF-16 units; no login name is longer. */
const MAX_LOOKED_UP_LENGTH = 1_000;

/** All fields of a person except the password. Undefined fields are kept, null clears a field. */
export interface PersonFields {
  firstName?: string | null;
  lastName?: string | null;
  nickName?: string | null;
  displayName?: string | null;
  preferredLanguage?: string | null;
  gender?: "female" | "male" | "diverse" | null;
  claims?: Readonly<Record<string, string>> | null;
  address?: Readonly<Record<string, string>> | null;
  email?: string | null;
  isEmailVerified?: boolean;
  /** Whether an entered code proves the address to everyone; by default this depends on the actor of the change. */
  isEmailTrusted?: boolean;
  phone?: string | null;
  isPhoneVerified?: boolean;
}

export interface NewPerson extends PersonFields {
  /** argon2id in PHC format; without one the person cannot sign in with a password yet. */
  passwordHash?: string;
  /** Whether the password was chosen by someone else. */
  passwordChangeRequired?: boolean;
  /** Whether the person may not sign in yet, as in the system that they come from. */
  isInactive?: boolean;
}

/** Adds a person. Rejects (unique constraint) if the login name was taken meanwhile. */
export async function addPerson(ctx: ChangeContext, identity: UserIdentity, person: NewPerson): Promise<void> {
  await recordIn(ctx, {
    type: "user.added",
    object: identity,
    async state(_, now) {
      const row = rowOfPerson(identity, person, await isTrustedByAll(ctx), now);
      await insertUser(ctx.tx, row, now);
      await addWords(ctx.tx, row);
      return { payload: payloadOfPerson(row) };
    },
  });
}

/** Adds many people in a few statements. Rejects (unique constraint) if a login name was taken meanwhile. */
export async function addPeople(
  ctx: ChangeContext,
  people: readonly { identity: UserIdentity; person: NewPerson }[],
): Promise<void> {
  await recordManyIn(ctx, {
    type: "user.added",
    async state(_, now) {
      const isTrusted = await isTrustedByAll(ctx);
      const rows = await mapInSlices(people, ({ identity, person }) => rowOfPerson(identity, person, isTrusted, now));
      await insertUsers(ctx.db, ctx.tx, rows, now);
      await addWords(ctx.tx, ...rows);
      return mapInSlices(rows, (row) => ({
        object: row,
        payload: payloadOfPerson(row),
      }));
    },
  });
  const inactive = people.filter(({ person }) => person.isInactive).map(({ identity }) => identity);
  if (inactive.length === 0) return;
  await recordManyIn(ctx, {
    type: "user.deactivated",
    state: async () => inactive.map((object) => ({ object, payload: {} })),
  });
}

/** Returns the row of a new person. Columns common to all rows are never undefined, as bulk inserts require. */
function rowOfPerson(
  identity: UserIdentity,
  { passwordHash, isInactive = false, ...fields }: NewPerson,
  isTrusted: boolean,
  now: number,
) {
  const displayName = fields.displayName ?? composeName(fields);
  return withoutNullJson({
    ...fields,
    ...identity,
    ...emailKey(fields),
    isEmailTrusted: fields.isEmailVerified === true && (fields.isEmailTrusted ?? isTrusted),
    displayName,
    displayNameKey: displayNameKey({ userName: identity.userName, displayName }),
    kind: "human",
    state: isInactive ? "inactive" : "active",
    passwordHash: passwordHash ?? null,
    passwordChangedAt: passwordHash === undefined ? null : now,
  });
}

/** Returns the event's payload; the catalogue selects the columns it may contain. */
const payloadOfPerson = (row: object): EventPayload<"user.added"> => ({ ...row }) as EventPayload<"user.added">;

/**
 * Updates the fields that differ.
 * @param wanted.loginName a new login name
 * @returns whether anything changed
 */
export async function changePerson(
  ctx: ChangeContext,
  stored: UserRow,
  { loginName, ...wanted }: PersonFields & { loginName?: FreeLoginName },
): Promise<boolean> {
  noteChange(ctx.tx, "user.changed", stored.id);
  const isEmailTrusted = await trustAfter(ctx, stored, wanted);
  const fields = { ...wanted, isEmailTrusted, userName: loginName?.userName };
  const changes = difference<PersonFields & { userName?: string }>(stored, fields);
  if (!changes) return false;
  await recordIn(ctx, {
    type: "user.changed",
    object: stored,
    async state(_, now) {
      const data = { ...(changes.data as Partial<UserRow>), ...emailKey(changes.data), ...loginName };
      const changed = { ...stored, ...data };
      await updateUser(ctx.tx, stored.id, { ...data, displayNameKey: displayNameKey(changed) }, now);
      await changeWords(ctx.tx, [changed]);
      // Changes by administrators send no notices; an attacker acts as the user.
      if (ctx.origin.actor === stored.id) {
        const messages = await contactNotices(ctx, stored, data, now);
        return { payload: changes.payload, messages };
      }
      // An administrator who changes a user's address has a reason: the old mailbox may be the stolen one.
      if (data.email !== undefined && ctx.origin.actor !== "system")
        await voidOneTimeTokens(ctx.db, ctx.tx, NOT_ME_PURPOSE, now, stored.id);
      return { payload: changes.payload };
    },
  });
  return true;
}

/** A person for signing in. */
export interface SignInUser extends PersonRow {
  /** Whether both the person and the organization are active. */
  mayAuthenticate: boolean;
}

/** The maximum number of people whose password is checked; with more, every sign-in could be made expensive. */
export const MAX_MATCHING_USERS = 2;

/**
 * Returns the people that a typed name can identify, best first, in any state (see mayAuthenticate): by login name,
 * user name or mail address; `listPeopleNamed` defines the order. Several people have the same name if organizations
 * assigned it independently. The password then decides, so that no organization can lock out people of another one.
 */
export async function findPeopleForSignIn(ctx: Context, typed: string, scope: NameScope = {}): Promise<SignInUser[]> {
  const people = await listNamed(ctx, typed, scope);
  return Promise.all(people.slice(0, MAX_MATCHING_USERS).map((person) => withState(ctx, person)));
}

/**
 * Returns the person that a typed name identifies if there is no password to decide; undefined if two are equally
 * likely.
 */
export async function findUserForSignIn(
  ctx: Context,
  typed: string,
  scope: NameScope = {},
): Promise<SignInUser | undefined> {
  const [best, next] = await listNamed(ctx, typed, scope);
  return best && best.rank !== next?.rank ? withState(ctx, best) : undefined;
}

async function listNamed(ctx: Context, typed: string, scope: NameScope): Promise<NamedPerson[]> {
  // No login name is longer, and normalizing megabytes would be wasted work. PostgreSQL does not accept U+0000.
  if (typed.length > MAX_LOOKED_UP_LENGTH || typed.includes("\0")) return [];
  const key = comparableLoginName(typed);
  if (key === "") return [];
  return listPeopleNamed(ctx.db, key, withParents(key.slice(key.lastIndexOf("@") + 1)), scope);
}

/** Returns the person with this id, in any state. */
export async function findUser(ctx: Context, userId: string): Promise<SignInUser | undefined> {
  const person = await findPerson(ctx.db, userId);
  return person && withState(ctx, person);
}

/**
 * Returns the source of a user's claims, for people and machines. An address that only an administrator of the user's
 * own organization has verified is not verified for the apps of others, because they link accounts by it
 * (email-trust.ts).
 * @param organizationId the organization of the app that gets the claims
 */
export async function findClaimsSource(
  ctx: Context,
  userId: string,
  organizationId: string | undefined,
): Promise<ClaimsSource | undefined> {
  const row = await findClaimsRow(ctx.db, userId);
  return row && claimsSourceOf(row, organizationId);
}

/** Returns the source of claims of a user whose row has been read. */
export function claimsSourceOf(row: ClaimsRow, organizationId: string | undefined): ClaimsSource {
  const mayRely = row.organizationId === organizationId || row.isEmailTrusted || row.isOwnDomain;
  return { ...row, isEmailVerified: Boolean(row.isEmailVerified && mayRely), preferredLoginName: row.loginName };
}

async function withState(ctx: Context, person: PersonRow): Promise<SignInUser> {
  const validFrom = await notAhead(ctx, person);
  return { ...person, validFrom, mayAuthenticate: person.state === "active" && person.organizationState === "active" };
}

function emailKey({ email }: PersonFields): { emailKey?: string | null } {
  if (email === undefined) return {};
  return { emailKey: email === null ? null : comparableLoginName(email) };
}

/** Removes JSON columns without a value, as Prisma requires. */
function withoutNullJson<Row extends { claims?: unknown; address?: unknown }>(row: Row): Row {
  const { claims, address, ...rest } = row;
  return { ...rest, ...(claims ? { claims } : {}), ...(address ? { address } : {}) } as Row;
}
