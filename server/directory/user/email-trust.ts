/**
 * Who vouches for a verified email address. An organization's administrators can mark any address of its users as
 * verified, so that counts only in that organization: elsewhere the address can neither sign in nor reset a password,
 * and is not reported as verified to other organizations' apps. Everyone may rely on an address under a domain that the
 * organization has proven, and on a trusted address: its owner has proven with a mailed code that they read its mail,
 * or the operator or a manager of the whole service vouches for it.
 */
import type { ChangeContext } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { readInstanceRoles } from "../../storage/member/membership";
import { hadOwnMailServer } from "../../storage/provider/provider-table";
import type { UserRow } from "../../storage/user/user";
import { permissionsOf } from "../member/permissions";
import { comparableLoginName } from "../names";

/** Actors who represent the service. */
const OPERATORS: ReadonlySet<string> = new Set(["bootstrap", "operator", "system"]);

/** Returns whether everyone may rely on addresses that this caller marks as verified. */
export async function isTrustedByAll({ tx, origin: { actor } }: ChangeContext): Promise<boolean> {
  if (OPERATORS.has(actor)) return true;
  const roles = await readInstanceRoles(tx, actor);
  return roles.some((role) => permissionsOf({ role, level: "instance" }).includes("user.write"));
}

/**
 * Returns whether a mailed code proves that the user reads the mail of the address. It does not if it may have passed
 * through the organization's own mail server, whose operator can read all codes.
 * @param sentAt epoch milliseconds
 */
export async function provesMailbox(tx: Transaction, organizationId: string, sentAt: number): Promise<boolean> {
  return !(await hadOwnMailServer(tx, organizationId, sentAt));
}

interface Address {
  email?: string | null;
  isEmailVerified?: boolean;
  /** Whether a code that was entered proves the address. */
  isEmailTrusted?: boolean;
}

/** Returns whether the address is trusted after a change; undefined if that is unchanged. */
export async function trustAfter(
  ctx: ChangeContext,
  stored: Pick<UserRow, "email" | "isEmailVerified">,
  wanted: Address,
): Promise<boolean | undefined> {
  const { email = stored.email, isEmailVerified = stored.isEmailVerified } = wanted;
  if (email === null || !isEmailVerified) return false;
  if (wanted.isEmailTrusted) return true;
  const isSame = stored.email !== null && comparableLoginName(email) === comparableLoginName(stored.email);
  if (isSame && stored.isEmailVerified) return undefined;
  return wanted.isEmailTrusted ?? isTrustedByAll(ctx);
}
