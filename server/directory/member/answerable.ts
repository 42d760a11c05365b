/**
 * Who is answerable for a setting: stored beside it, and asked when it is used for somebody's account (see privileges.ts).
 */
import type { Origin } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { readUser } from "../../storage/users";

/** Stored for whoever runs the service. No user has it as an id: ids contain no colon. */
export const OPERATOR = ":operator";

/** As they stand in the audit trail, instead of a user's id. */
const OPERATORS: ReadonlySet<string> = new Set(["bootstrap", "operator", "system"]);

/** The user who makes the change, or `OPERATOR`. */
export async function answerableFor(tx: Transaction, { actor }: Origin): Promise<string> {
  // A user may have been given such an id before it was reserved.
  return OPERATORS.has(actor) && !(await readUser(tx, actor)) ? OPERATOR : actor;
}
