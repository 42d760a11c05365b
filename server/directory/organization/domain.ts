/**
 * Domains of organizations. The primary one completes user names to login names, so it must be verified, and a verified
 * domain belongs to one organization only: otherwise one tenant could take another's login names.
 */
import { type ChangeContext, recordIn, type TransactionContext } from "../../events/record";
import {
  insertDomain,
  markDomainPrimary,
  markDomainVerified,
  moveLoginNames,
  readVerifiedOwner,
} from "../../storage/organization/organization";
import { domainLabel } from "../names";
import { temporaryDomain } from "../user/login-name";
import { claimDomain } from "./domain-claim";

/** Adds a domain, verified or still to be proven. The caller has checked that no other organization has verified it. */
export async function addDomain(
  ctx: ChangeContext,
  organizationId: string,
  domain: string,
  isVerified: boolean,
): Promise<void> {
  await recordIn(ctx, {
    type: "organization.domain.added",
    object: { id: organizationId, organizationId },
    async state(_, now) {
      const unproven = { isVerified: false, challengeType: null, challengeToken: null };
      const row = { organizationId, domain, isPrimary: false, ...unproven };
      await insertDomain(ctx.tx, { ...row, createdAt: now });
      return { payload: { domain } };
    },
  });
  if (isVerified) await verifyDomain(ctx, organizationId, domain);
}

/** Marks a domain as proven. Users of other organizations lose user names that end in it; see domain-claim.ts. */
export async function verifyDomain(ctx: ChangeContext, organizationId: string, domain: string): Promise<void> {
  await recordIn(ctx, {
    type: "organization.domain.verified",
    object: { id: organizationId, organizationId },
    async state() {
      await markDomainVerified(ctx.tx, organizationId, domain);
      return { payload: { domain } };
    },
  });
  await claimDomain(ctx, organizationId, domain);
}

/**
 * Makes a domain the primary one, which changes the login names of all users without `@` in their user name. Rejects
 * (unique constraint) if such a login name belongs to a user of another organization.
 */
export async function setPrimaryDomain(ctx: ChangeContext, organizationId: string, domain: string): Promise<void> {
  await recordIn(ctx, {
    type: "organization.domain.primary_set",
    object: { id: organizationId, organizationId },
    async state() {
      await markDomainPrimary(ctx.tx, organizationId, domain);
      await moveLoginNames(ctx.tx, organizationId, domain);
      return { payload: { domain } };
    },
  });
}

/**
 * Returns a free domain under the service's own host name, for an organization that has none: `acme.id.example.com`.
 */
async function freeDomain(ctx: TransactionContext, organizationName: string): Promise<string> {
  const { hostname } = new URL(ctx.config.baseUrl);
  // An IP address has no subdomains. The name is never resolved; it only completes login names.
  const parent = /^[\d.]+$|^\[/.test(hostname) ? "localhost" : hostname;
  const label = domainLabel(organizationName);
  for (let number = 1; ; number++) {
    const domain = `${label}${number === 1 ? "" : `-${number}`}.${parent}`;
    const isFree = domain !== temporaryDomain(ctx) && (await readVerifiedOwner(ctx.tx, domain)) === undefined;
    if (isFree) return domain;
  }
}

/** Gives an organization without a primary domain a free one. */
export async function addFreePrimaryDomain(
  ctx: ChangeContext,
  organization: { id: string; name: string },
): Promise<string> {
  const domain = await freeDomain(ctx, organization.name);
  await addDomain(ctx, organization.id, domain, true);
  await setPrimaryDomain(ctx, organization.id, domain);
  return domain;
}
