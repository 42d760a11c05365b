/** Somebody who signs in, for what is shown to themselves. */
import type { Context } from "../../context";
import { findPerson } from "../../storage/sign-in-names";

export interface Person {
  /** What they are called: the display name, else first and last name, else the user name. */
  name: string;
  /** As they write it, with the primary domain. */
  loginName: string;
  /** A language tag. */
  preferredLanguage: string | null;
}

/** Undefined if there is no such person; machines are none. */
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
