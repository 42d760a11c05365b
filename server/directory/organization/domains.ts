/** Manages an organization's domains: adding, verifying, making primary and removing them. */
import type { Context } from "../../context";
import { type Details, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { lockInstanceRow } from "../../storage/instance/instance";
import { domainList, domainsOf, matchDomains, type ShownDomain } from "../../storage/organization/list";
import {
  type DomainRow,
  deleteDomain,
  type OrganizationWithDomains,
  readOrganization,
  readTakenLoginName,
  readVerifiedOwner,
} from "../../storage/organization/organization";
import { changeDirectory, onUniqueViolation } from "../change";
import { type PagedList, pagedList, type TextWanted } from "../listing";
import { noSuchOrganization } from "../not-found";
import { addDomain, setPrimaryDomain, verifyDomain } from "./domain";
import { type DomainClaimPreview, previewDomainClaim } from "./domain-claim";
import { checkProof, noSuchDomain } from "./domain-proof";

/**
 * Adds a domain that is still to be proven. Several organizations may have the same one, even after one of them has
 * proven it. Only an organization that also proves it gets an error, so that this does not disclose which domains the
 * service knows.
 */
export function addUnverifiedDomain(
  ctx: OriginContext,
  organizationId: string,
  domain: string,
): Promise<undefined | ApiError> {
  return onUniqueViolation(alreadyAdded, () =>
    changeDirectory(ctx, async (ctx) => {
      await addDomain(ctx, organizationId, domain, false);
      return undefined;
    }),
  );
}

const alreadyAdded = () =>
  alreadyExists("domain.already_added", "The organization has this domain already.", { field: "domain" });
const verifiedElsewhere = () =>
  alreadyExists("domain.verified_elsewhere", "Another organization has verified this domain. Use another one.", {
    field: "domain",
  });

/** Verifies a domain after checking its proof. Users of other organizations lose names that end in it. */
export async function proveDomain(
  ctx: OriginContext,
  organizationId: string,
  domain: string,
): Promise<undefined | ApiError> {
  const refusal = await checkProof(ctx, organizationId, domain);
  if (refusal) return refusal;
  return changeDirectory(
    ctx,
    async (ctx) => {
      await lockInstanceRow(ctx.db, ctx.tx); // if two organizations prove it at once, only one gets it
      const owner = await readVerifiedOwner(ctx.tx, domain);
      if (owner !== undefined && owner !== organizationId) return verifiedElsewhere();
      return withDomain(ctx.tx, organizationId, domain, async ({ isVerified }) => {
        if (!isVerified) await verifyDomain(ctx, organizationId, domain);
        return undefined;
      });
    },
    { timeout: MAX_CLAIM_DURATION },
  );
}

/**
 * Returns the users who would be renamed if the domain were proven now. Requires the proof, because they are users of
 * other organizations.
 */
export async function previewProvenClaim(
  ctx: Context,
  organizationId: string,
  domain: string,
): Promise<DomainClaimPreview | ApiError> {
  return (await checkProof(ctx, organizationId, domain)) ?? previewDomainClaim(ctx, { organizationId, domain });
}

/** Milliseconds. Thousands of users may be renamed. */
const MAX_CLAIM_DURATION = 5 * 60_000;

/** Makes another domain the primary one, which completes user names. */
export function preferDomain(
  ctx: OriginContext,
  organizationId: string,
  domain: string,
): Promise<undefined | ApiError> {
  return onUniqueViolation(loginNameTaken, () =>
    changeDirectory(
      ctx,
      (ctx) =>
        withDomain(ctx.tx, organizationId, domain, async ({ isVerified, isPrimary }) => {
          if (isPrimary) return failedPrecondition("domain.is_primary", "It is the primary domain already.");
          if (!isVerified) return failedPrecondition("domain.not_verified", "Verify the domain first.");
          if ((await readTakenLoginName(ctx.tx, organizationId, domain)) !== undefined) return loginNameTaken();
          await setPrimaryDomain(ctx, organizationId, domain);
          return undefined;
        }),
      { timeout: MAX_CLAIM_DURATION },
    ),
  );
}

const loginNameTaken = () =>
  alreadyExists(
    "domain.login_name_taken",
    "With this domain, a login name would be the same as someone else’s. Change that login name first.",
  );

export function giveUpDomain(ctx: OriginContext, organizationId: string, domain: string): Promise<Details | ApiError> {
  return changeDirectory(ctx, (ctx) =>
    withDomain(ctx.tx, organizationId, domain, async ({ isPrimary }) => {
      if (isPrimary) return failedPrecondition("domain.is_primary", "Make another domain the primary one first.");
      return recordIn(ctx, {
        type: "organization.domain.removed",
        object: { id: organizationId, organizationId },
        async state() {
          await deleteDomain(ctx.tx, organizationId, domain);
          return { payload: { domain } };
        },
      });
    }),
  );
}

async function withDomain<T>(
  tx: Transaction,
  organizationId: string,
  domain: string,
  work: (row: DomainRow, organization: OrganizationWithDomains) => Promise<T | ApiError>,
): Promise<T | ApiError> {
  const organization = await readOrganization(tx, organizationId);
  if (!organization) return noSuchOrganization();
  const row = organization.domains.find((one) => one.domain === domain);
  return row ? work(row, organization) : noSuchDomain();
}

export type ListedDomain = ShownDomain;

/**
 * Lists the domains of an organization by name.
 * @param names each domain must match all of them
 */
export function listDomainsOf(
  ctx: Context,
  organizationId: string,
  names: readonly TextWanted[],
): PagedList<ListedDomain> {
  const where = domainsOf(organizationId);
  for (const name of names) matchDomains(where, name);
  return pagedList(ctx, where, domainList);
}
