/**
 * People. One statement finds who signs in; names are compared in one form (names.ts), so that no two accounts have
 * what people would consider the same name.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import type { EventPayload } from "../../events/catalogue";
import { difference } from "../../events/difference";
import { type Origin, recordIn, recordManyIn } from "../../events/record";
import type { ClaimsSource } from "../../protocol/claims";
import type { Transaction } from "../../storage/database";
import { insertUsers } from "../../storage/user-bulk";
import {
  findClaimsRow,
  findPerson,
  findPersonByLoginName,
  insertUser,
  type PersonRow,
  type UserRow,
  updateUser,
} from "../../storage/users";
import { mapInSlices } from "../../work/pauses";
import { comparableLoginName, loginName } from "../names";
import { addWords, changeWords, displayNameKey } from "./words";

/** UTF-16 units; no login name is longer. */
const LONGEST_LOGIN_NAME = 1_000;

/** Everything about a person but the password. What is undefined is left alone, null is cleared. */
export interface PersonFields {
  userName?: string;
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
  phone?: string | null;
  isPhoneVerified?: boolean;
}

export interface NewPerson extends PersonFields {
  id?: string;
  userName: string;
  organizationId: string;
  /** The organization's; completes a user name without `@`. */
  primaryDomain: string;
  /** argon2id in PHC format; without one the person cannot sign in with a password yet. */
  passwordHash?: string;
  /** The password was chosen by somebody else. */
  passwordChangeRequired?: boolean;
}

/** The keys by which a user is found. */
export function userKeys(
  userName: string,
  primaryDomain: string,
): Pick<UserRow, "userName" | "userNameKey" | "userNameDomain" | "loginNameKey"> {
  const userNameKey = comparableLoginName(userName);
  return {
    userName,
    userNameKey,
    userNameDomain: userNameKey.includes("@") ? userNameKey.slice(userNameKey.lastIndexOf("@") + 1) : null,
    loginNameKey: comparableLoginName(loginName(userName, primaryDomain)),
  };
}

/** Adds a person; rejects (unique constraint) if the login name is taken. */
export async function addPerson(ctx: Context, tx: Transaction, person: NewPerson, origin: Origin): Promise<string> {
  const { id = newId(), organizationId } = person;
  await recordIn(ctx, tx, {
    type: "user.added",
    aggregateId: id,
    resourceOwner: organizationId,
    origin,
    async state(_, now) {
      const row = rowOfPerson({ ...person, id }, now);
      await insertUser(tx, row, now);
      await addWords(tx, row);
      return { payload: payloadOfPerson(row) };
    },
  });
  return id;
}

/** Adds many people in a few statements; rejects (unique constraint) if a login name or an id is taken. */
export async function addPeople(
  ctx: Context,
  tx: Transaction,
  people: readonly (NewPerson & { id: string })[],
  origin: Origin,
): Promise<void> {
  await recordManyIn(ctx, tx, {
    type: "user.added",
    origin,
    async state(_, now) {
      const rows = await mapInSlices(people, (person) => rowOfPerson(person, now));
      await insertUsers(tx, rows, now);
      await addWords(tx, ...rows);
      return mapInSlices(rows, (row) => ({
        ...{ aggregateId: row.id, resourceOwner: row.organizationId, payload: payloadOfPerson(row) },
      }));
    },
  });
}

/** The row of a new person; columns common to all rows are never undefined, as bulk inserts require. */
function rowOfPerson({ primaryDomain, passwordHash, ...fields }: NewPerson & { id: string }, now: number) {
  const displayName = fields.displayName ?? composeName(fields.firstName, fields.lastName);
  return withoutNullJson({
    ...fields,
    ...userKeys(fields.userName, primaryDomain),
    ...emailKey(fields),
    displayName,
    displayNameKey: displayNameKey({ userName: fields.userName, displayName }),
    kind: "human",
    passwordHash: passwordHash ?? null,
    passwordChangedAt: passwordHash === undefined ? null : new Date(now),
  });
}

/** The event's payload: the catalogue picks the columns it may contain. */
const payloadOfPerson = (row: PersonFields): EventPayload<"user.added"> => ({ ...row }) as EventPayload<"user.added">;

/**
 * Updates what differs.
 * @returns whether anything changed
 */
export async function changePerson(
  ctx: Context,
  tx: Transaction,
  stored: UserRow,
  wanted: PersonFields,
  primaryDomain: string,
  origin: Origin,
): Promise<boolean> {
  const changes = difference<PersonFields>(stored, wanted);
  if (!changes) return false;
  const { userName } = changes.data;
  await recordIn(ctx, tx, {
    type: "user.changed",
    aggregateId: stored.id,
    resourceOwner: stored.organizationId,
    origin,
    async state(_, now) {
      const data = { ...(changes.data as Partial<UserRow>), ...emailKey(changes.data) };
      await updateUser(tx, stored.id, { ...data, ...nameKeys({ ...stored, ...data }, userName, primaryDomain) }, now);
      await changeWords(tx, [{ ...stored, ...data }]);
      return { payload: changes.payload };
    },
  });
  return true;
}

/** The keys of a renamed user. */
export function nameKeys(changed: UserRow, newUserName: string | undefined, primaryDomain: string): Partial<UserRow> {
  const keys = newUserName === undefined ? {} : userKeys(newUserName, primaryDomain);
  return { ...keys, displayNameKey: displayNameKey(changed) };
}

/** A person, as seen by signing in. */
export interface SignInUser extends PersonRow {
  /** Neither the person nor the organization is deactivated or locked. */
  mayAuthenticate: boolean;
}

/**
 * The person a typed login name means: the whole login name, else a bare user name if it is unambiguous or in the
 * default organization, else a verified mail address if it is unambiguous. In any state: see mayAuthenticate.
 * @param options.organizationId looks only in that organization
 */
export async function findUserForSignIn(
  ctx: Context,
  typed: string,
  options: { organizationId?: string } = {},
): Promise<SignInUser | undefined> {
  // No login name is longer, and normalizing megabytes would be wasted work. PostgreSQL does not accept U+0000.
  if (typed.length > LONGEST_LOGIN_NAME || typed.includes("\0")) return undefined;
  const key = comparableLoginName(typed);
  return key === "" ? undefined : withState(await findPersonByLoginName(ctx.db, key, options.organizationId));
}

/** The person with this id, in any state. */
export async function findUser(ctx: Context, userId: string): Promise<SignInUser | undefined> {
  return withState(await findPerson(ctx.db, userId));
}

/** The source of a user's claims, for people and machines. */
export async function findClaimsSource(ctx: Context, userId: string): Promise<ClaimsSource | undefined> {
  const row = await findClaimsRow(ctx.db, userId);
  return row && { ...row, preferredLoginName: row.loginName };
}

function withState(person: PersonRow | undefined): SignInUser | undefined {
  return person && { ...person, mayAuthenticate: person.state === "active" && person.organizationState === "active" };
}

/** The default display name; null without any name. */
export function composeName(firstName?: string | null, lastName?: string | null): string | null {
  const name = [firstName, lastName].filter((part) => part).join(" ");
  return name === "" ? null : name;
}

function emailKey({ email }: PersonFields): { emailKey?: string | null } {
  if (email === undefined) return {};
  return { emailKey: email === null ? null : comparableLoginName(email) };
}

/** Prisma requires JSON columns without a value to be left out. */
function withoutNullJson<Row extends { claims?: unknown; address?: unknown }>(row: Row): Row {
  const { claims, address, ...rest } = row;
  return { ...rest, ...(claims ? { claims } : {}), ...(address ? { address } : {}) } as Row;
}
