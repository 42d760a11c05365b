/**
 * People. Who signs in is found by one statement; names are compared in one form (names.ts), so that no two accounts
 * answer to what a person would call the same name.
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
import { comparableLoginName, loginName } from "../names";
import { addWords, changeWords, displayNameKey } from "./words";

/** UTF-16 units; no user name with its domain is longer. */
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
  /** Of the organization; completes a user name without `@`. */
  primaryDomain: string;
  /** argon2id in PHC format; without one the person cannot sign in with a password yet. */
  passwordHash?: string;
  /** The password was chosen by somebody else. */
  passwordChangeRequired?: boolean;
}

/** The keys a user is found by. */
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

/** Adds a person; rejects (unique constraint) where the login name is taken. */
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

/** Adds many people in a few statements; rejects (unique constraint) where a login name or an id is taken. */
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
      const rows = people.map((person) => rowOfPerson(person, now));
      await insertUsers(tx, rows, now);
      await addWords(tx, ...rows);
      return rows.map((row) => ({
        ...{ aggregateId: row.id, resourceOwner: row.organizationId, payload: payloadOfPerson(row) },
      }));
    },
  });
}

/** The row of a new person; nothing in it is undefined that is the same for all. */
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

/** What is told of it: the columns people have a say in, by the catalogue. */
const payloadOfPerson = (row: PersonFields): EventPayload<"user.added"> => ({ ...row }) as EventPayload<"user.added">;

/**
 * Writes what differs.
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

/** The keys of a user who is called something else from now on. */
export function nameKeys(changed: UserRow, newUserName: string | undefined, primaryDomain: string): Partial<UserRow> {
  const keys = newUserName === undefined ? {} : userKeys(newUserName, primaryDomain);
  return { ...keys, displayNameKey: displayNameKey(changed) };
}

/** A person as signing in sees him. */
export interface SignInUser extends PersonRow {
  /** Neither the person nor the organization is deactivated or locked. */
  mayAuthenticate: boolean;
}

/**
 * The person a typed login name means: the whole login name, else a bare user name where it is unambiguous or in the
 * default organization, else a verified mail address where it is unambiguous. Whatever his state: see mayAuthenticate.
 * @param options.organizationId looks in that organization alone
 */
export async function findUserForSignIn(
  ctx: Context,
  typed: string,
  options: { organizationId?: string } = {},
): Promise<SignInUser | undefined> {
  // No name is longer; normalizing megabytes would be work for nothing. PostgreSQL knows no U+0000.
  if (typed.length > LONGEST_LOGIN_NAME || typed.includes("\0")) return undefined;
  const key = comparableLoginName(typed);
  return key === "" ? undefined : withState(await findPersonByLoginName(ctx.db, key, options.organizationId));
}

/** The person behind an id, whatever his state. */
export async function findUser(ctx: Context, userId: string): Promise<SignInUser | undefined> {
  return withState(await findPerson(ctx.db, userId));
}

/** What is told of a user in claims; people and machines. */
export async function findClaimsSource(ctx: Context, userId: string): Promise<ClaimsSource | undefined> {
  const row = await findClaimsRow(ctx.db, userId);
  return row && { ...row, preferredLoginName: row.loginName };
}

function withState(person: PersonRow | undefined): SignInUser | undefined {
  return person && { ...person, mayAuthenticate: person.state === "active" && person.organizationState === "active" };
}

/** What a person is called who has not said it; null without any name. */
export function composeName(firstName?: string | null, lastName?: string | null): string | null {
  const name = [firstName, lastName].filter((part) => part).join(" ");
  return name === "" ? null : name;
}

function emailKey({ email }: PersonFields): { emailKey?: string | null } {
  if (email === undefined) return {};
  return { emailKey: email === null ? null : comparableLoginName(email) };
}

/** Prisma tells "no value" in a JSON column by leaving it out. */
function withoutNullJson<Row extends { claims?: unknown; address?: unknown }>(row: Row): Row {
  const { claims, address, ...rest } = row;
  return { ...rest, ...(claims ? { claims } : {}), ...(address ? { address } : {}) } as Row;
}
