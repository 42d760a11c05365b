/**
 * The user who is answerable for a setting: stored with it, and checked when the setting is used for a user's account
 * (see privileges.ts).
 */
import type { ChangeContext } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { readUser } from "../../storage/user/user";

/** Stored for the operator of the service. No user has it as an id, because ids contain no colon. */
export const OPERATOR = ":operator";

/** The names of operators in the audit trail, in place of a user's id. */
const OPERATORS: ReadonlySet<string> = new Set(["bootstrap", "operator", "system"]);

/** Returns the user who makes the change, or `OPERATOR`. */
export const answerableFor = async ({ tx, origin: { actor } }: ChangeContext): Promise<string> =>
  (await isOperator(tx, actor)) ? OPERATOR : actor;

/** Returns whether the actor is the operator or the service itself, which no permissions limit. */
export async function isOperator(tx: Transaction, actor: string): Promise<boolean> {
  // A user may have been given such an id before it was reserved.
  return OPERATORS.has(actor) && !(await readUser(tx, actor));
}
