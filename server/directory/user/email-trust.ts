/**
 * Whose word a verified mail address rests on. An organization's administrator may say of its people what they like, so
 * that word counts in that organization alone: elsewhere the address neither signs in nor resets a password, and other
 * organizations' apps are not told that it is verified. Everybody may rely on an address under a domain that the
 * organization has proven, and on one that is trusted: its owner has shown by a mailed code that they read its mail, or
 * the operator or a manager of the whole service vouches for it.
 */
import type { Origin } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { hadOwnMailServer } from "../../storage/email-providers";
import { readInstanceRoles } from "../../storage/memberships";
import type { UserRow } from "../../storage/users";
import { permissionsOf } from "../member/permissions";
import { isMemberRole } from "../member/roles";
import { comparableLoginName } from "../names";

/** Actors who speak for the service. */
const OPERATORS: ReadonlySet<string> = new Set(["bootstrap", "operator", "system"]);

/** Whether everybody may rely on addresses that this caller says are verified. */
export async function vouchesForAll(tx: Transaction, { actor }: Origin): Promise<boolean> {
  if (OPERATORS.has(actor)) return true;
  const roles = await readInstanceRoles(tx, actor);
  return roles.filter(isMemberRole).some((role) => permissionsOf(role).includes("user.write"));
}

/**
 * Whether a mailed code shows that the person reads the mail of their address: not if it may have travelled through
 * their organization's own mail server, whose owner reads all codes.
 * @param sentAt epoch milliseconds
 */
export async function provesMailbox(tx: Transaction, organizationId: string, sentAt: number): Promise<boolean> {
  return !(await hadOwnMailServer(tx, organizationId, sentAt));
}

interface Address {
  email?: string | null;
  isEmailVerified?: boolean;
  /** Where a code was entered: whether it proves anything. */
  isEmailTrusted?: boolean;
}

/** Whether the address is trusted after a change; undefined: as before. */
export async function trustAfter(
  tx: Transaction,
  stored: Pick<UserRow, "email" | "isEmailVerified">,
  wanted: Address,
  origin: Origin,
): Promise<boolean | undefined> {
  const { email = stored.email, isEmailVerified = stored.isEmailVerified } = wanted;
  if (email === null || !isEmailVerified) return false;
  if (wanted.isEmailTrusted) return true;
  const isSame = stored.email !== null && comparableLoginName(email) === comparableLoginName(stored.email);
  if (isSame && stored.isEmailVerified) return undefined;
  return wanted.isEmailTrusted ?? vouchesForAll(tx, origin);
}
