/**
 * Claiming a domain. Whoever has proven a domain decides alone on the login names that end in it, else one tenant could
 * keep accounts that look like another's. People of other organizations who have such a user name get a temporary one
 * and are told; password, sessions and everything else of theirs stay. Spec: domain-claimed message.
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { type Origin, recordIn } from "../events/record";
import type { Transaction } from "../storage/database";
import {
  countUsersUnderDomain,
  listUsersUnderDomain,
  readUsersUnderDomain,
  type UserUnderDomain,
} from "../storage/domain-claims";
import { updateUser } from "../storage/users";
import { comparableDomain } from "./names";
import { domainClaimed } from "./notifications";
import { userKeys } from "./user";

export interface DomainClaimPreview {
  total: number;
  /** The first of them. */
  users: UserUnderDomain[];
}

const SHOWN = 100;

/** Who would be renamed and told if the organization had the domain verified now. */
export async function previewDomainClaim(
  ctx: Context,
  { organizationId, domain }: { organizationId: string; domain: string },
): Promise<DomainClaimPreview> {
  const key = comparableDomain(domain);
  if (key === undefined) return { total: 0, users: [] };
  const users = await listUsersUnderDomain(ctx.db, { organizationId, domain: key, limit: SHOWN });
  const total = users.length < SHOWN ? users.length : await countUsersUnderDomain(ctx.db, organizationId, key);
  return { total, users };
}

/**
 * Renames everybody concerned, in the transaction that marks the domain verified.
 * @param domain in its comparable form
 */
export async function claimDomain(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  domain: string,
  origin: Origin,
): Promise<void> {
  for (const user of await readUsersUnderDomain(tx, organizationId, domain)) {
    const userName = `${newId()}@${temporaryDomain(ctx)}`;
    await recordIn(ctx, tx, {
      type: "user.domain.claimed",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        await updateUser(tx, user.id, userKeys(userName, ""), now);
        return {
          payload: { domain, userName },
          messages: domainClaimed(user, { domain, temporaryUserName: userName }),
        };
      },
    });
  }
}

function temporaryDomain(ctx: Context): string {
  return `temporary.${comparableDomain(new URL(ctx.config.baseUrl).hostname) ?? "localhost"}`;
}
