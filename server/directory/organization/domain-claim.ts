/**
 * Claims a domain. Only the organization that has proven a domain controls the login names that end in it; otherwise
 * one tenant could have accounts that look like another's. Users of other organizations with such a user name get a
 * temporary one and are notified; their passwords, sessions and other data are kept. Rule ID-5.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { type ChangeContext, recordManyIn, type TransactionContext } from "../../events/record";
import { domainClaimed } from "../../message-types/domainclaimed";
import {
  countUsersUnder,
  listUsersUnder,
  readForeignSubdomains,
  readUsedSubdomains,
  readUsersUnder,
  releaseLoginNames,
  renameUsers,
  type UserUnderDomain,
} from "../../storage/organization/domain-claims";
import { writeDisplayNameKey } from "../../storage/user/words";
import { comparableDomain, withParents } from "../names";
import { temporaryDomain, userKeys } from "../user/login-name";
import { changeWords, displayNameKey } from "../user/search-terms";

export interface DomainClaimPreview {
  total: number;
  /** The first users of the list. */
  users: UserUnderDomain[];
}

const SHOWN = 100;

/** Returns the users who would be renamed and notified if the organization verified the domain now. */
export async function previewDomainClaim(
  ctx: Context,
  { organizationId, domain }: { organizationId: string; domain: string },
): Promise<DomainClaimPreview> {
  const key = comparableDomain(domain);
  if (key === undefined) return { total: 0, users: [] };
  const { prisma } = ctx.db;
  const domains = await domainsToClaim({ ...ctx, tx: prisma }, organizationId, key);
  const users = await listUsersUnder(prisma, { organizationId, domains, limit: SHOWN });
  const total = users.length < SHOWN ? users.length : await countUsersUnder(prisma, organizationId, domains);
  return { total, users };
}

/**
 * Returns the domain, and those below it that user names end in, without those that another organization has proven the
 * closer domain of. The domain of the service's temporary names is not claimed by a domain above it.
 */
async function domainsToClaim(ctx: TransactionContext, organizationId: string, domain: string): Promise<string[]> {
  const kept = new Set([temporaryDomain(ctx), ...(await readForeignSubdomains(ctx.tx, organizationId, domain))]);
  const used = await readUsedSubdomains(ctx.tx, domain);
  return [domain, ...used.filter((one) => !withParents(one).some((parent) => kept.has(parent)))];
}

/**
 * Renames the affected users, in the transaction that marks the domain as verified.
 * @param domain in its comparable form
 */
export async function claimDomain(ctx: ChangeContext, organizationId: string, domain: string): Promise<void> {
  // A machine keeps its user name, with which it authenticates, but no longer blocks the login name for others.
  const domains = await domainsToClaim(ctx, organizationId, domain);
  await releaseLoginNames(ctx.tx, { organizationId, domains, temporaryDomain: temporaryDomain(ctx) });
  const users = await readUsersUnder(ctx.tx, organizationId, domains);
  if (users.length === 0) return;
  await recordManyIn(ctx, {
    type: "user.domain.claimed",
    async state(_, now) {
      const renamed = users.map((user) => ({ ...user, ...userKeys(`${newId()}@${temporaryDomain(ctx)}`, "") }));
      await renameUsers(ctx.tx, renamed, now);
      await changeWords(ctx.tx, renamed);
      // Users without a name are displayed by their user name.
      for (const user of renamed) {
        if (user.displayName === null) await writeDisplayNameKey(ctx.tx, user.id, displayNameKey(user));
      }
      return renamed.map((user) => ({
        object: user,
        payload: { domain, userName: user.userName },
        messages: domainClaimed(user, { domain, temporaryUserName: user.userName }),
      }));
    },
  });
}
