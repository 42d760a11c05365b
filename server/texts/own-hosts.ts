/** The hosts that messages that open accounts may name (see addresses.ts). */
import type { Context } from "../context";
import type { Transaction } from "../storage/database";
import { readVerifiedDomains } from "../storage/organization/organization";
import type { OwnHosts } from "./addresses";

/** Returns the allowed hosts at instance level: only the service's own. */
export function serviceHosts({ config }: Pick<Context, "config">): OwnHosts {
  return { service: new URL(config.baseUrl).hostname, proven: [] };
}

/**
 * Returns the service's host and the domains that the organization has proven.
 * @param organizationId undefined at instance level
 */
export async function ownHosts(
  ctx: Context,
  organizationId: string | undefined,
  tx: Transaction = ctx.db.prisma,
): Promise<OwnHosts> {
  const own = serviceHosts(ctx);
  return organizationId === undefined ? own : { ...own, proven: await readVerifiedDomains(tx, organizationId) };
}
