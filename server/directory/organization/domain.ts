/**
 * Domains of organizations. The primary one completes user names to login names, so it must be verified, and a verified
 * domain belongs to one organization only: otherwise one tenant could take another's login names.
 */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { Transaction } from "../../storage/database";
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
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  domain: string,
  isVerified: boolean,
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "organization.domain.added",
    object: { id: organizationId, organizationId },
    origin,
    async state(_, now) {
      const unproven = { isVerified: false, challengeType: null, challengeToken: null };
      const row = { organizationId, domain, isPrimary: false, ...unproven };
      await insertDomain(tx, { ...row, createdAt: now });
      return { payload: { domain } };
    },
  });
  if (isVerified) await verifyDomain(ctx, tx, organizationId, domain, origin);
}

/** Marks a domain as proven. Users of other organizations lose user names that end in it; see domain-claim.ts. */
export async function verifyDomain(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  domain: string,
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "organization.domain.verified",
    object: { id: organizationId, organizationId },
    origin,
    async state() {
      await markDomainVerified(tx, organizationId, domain);
      return { payload: { domain } };
    },
  });
  await claimDomain(ctx, tx, organizationId, domain, origin);
}

/**
 * Makes a domain the primary one, which changes the login names of all users without `@` in their user name. Rejects
 * (unique constraint) if such a login name belongs to a user of another organization.
 */
export async function setPrimaryDomain(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  domain: string,
  origin: Origin,
): Promise<void> {
  await recordIn(ctx, tx, {
    type: "organization.domain.primary_set",
    object: { id: organizationId, organizationId },
    origin,
    async state() {
      await markDomainPrimary(tx, organizationId, domain);
      await moveLoginNames(tx, organizationId, domain);
      return { payload: { domain } };
    },
  });
}

/**
 * Returns a free domain under the service's own host name, for an organization that has none: `acme.id.example.com`.
 */
async function freeDomain(ctx: Context, tx: Transaction, organizationName: string): Promise<string> {
  const { hostname } = new URL(ctx.config.baseUrl);
  // An IP address has no subdomains. The name is never resolved; it only completes login names.
  const parent = /^[\d.]+$|^\[/.test(hostname) ? "localhost" : hostname;
  const label = domainLabel(organizationName);
  for (let number = 1; ; number++) {
    const domain = `${label}${number === 1 ? "" : `-${number}`}.${parent}`;
    const isFree = domain !== temporaryDomain(ctx) && (await readVerifiedOwner(tx, domain)) === undefined;
    if (isFree) return domain;
  }
}

/** Gives an organization without a primary domain a free one. */
export async function addFreePrimaryDomain(
  ctx: Context,
  tx: Transaction,
  organization: { id: string; name: string },
  origin: Origin,
): Promise<string> {
  const domain = await freeDomain(ctx, tx, organization.name);
  await addDomain(ctx, tx, organization.id, domain, true, origin);
  await setPrimaryDomain(ctx, tx, organization.id, domain, origin);
  return domain;
}
