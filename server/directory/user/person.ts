/** A user's own names and language, for pages that the user sees. */
import type { Context } from "../../context";
import { findPerson } from "../../storage/user/sign-in-names";

export interface Person {
  /** The display name, otherwise first and last name, otherwise the user name. */
  name: string;
  /** The login name as written, with the primary domain. */
  loginName: string;
  /** A language tag. */
  preferredLanguage: string | null;
}

/** Returns a person; undefined if there is no such user, or it is a machine. */
export async function readPerson(ctx: Context, userId: string): Promise<Person | undefined> {
  const person = await findPerson(ctx.db, userId);
  if (!person) return undefined;
  const { displayName, firstName, lastName, userName, loginName, preferredLanguage } = person;
  return {
    name: displayName ?? ([firstName, lastName].filter(Boolean).join(" ") || userName),
    loginName,
    preferredLanguage,
  };
}
