/** Applies organizations of the bootstrap file and their domains. */
import { addDomain, addFreePrimaryDomain, setPrimaryDomain, verifyDomain } from "../directory/organization/domain";
import { addOrganization, changeOrganization } from "../directory/organization/organization";
import { reason } from "../protocol/reason";
import type { Transaction } from "../storage/database";
import {
  type OrganizationWithDomains,
  readOrganization,
  readOrganizationsByName,
  readTakenLoginName,
  readVerifiedOwner,
} from "../storage/organization/organization";
import { failAt, orFail } from "./mistakes";
import type { Run } from "./run";
import type { OrganizationEntry } from "./schema";
import { applyMetadata } from "./user-grants";

/** Returns the stored organization of an entry: by its id, else by a verified domain, else by its name. */
export async function matchOrganization(
  tx: Transaction,
  entry: OrganizationEntry,
  path: string,
): Promise<OrganizationWithDomains | undefined> {
  if (entry.id !== undefined) return readOrganization(tx, entry.id);
  for (const { domain, verified } of entry.domains ?? []) {
    const owner = verified ? await readVerifiedOwner(tx, domain) : undefined;
    if (owner !== undefined) return readOrganization(tx, owner);
  }
  const [named, another] = await readOrganizationsByName(tx, entry.name);
  if (another) failAt(`${path}.name`, reason("several", { what: "organizations" }));
  return named;
}

export interface AppliedOrganization {
  id: string;
  primaryDomain: string;
}

export async function applyOrganization(
  run: Run,
  entry: OrganizationEntry,
  path: string,
): Promise<AppliedOrganization> {
  const { ctx, report } = run;
  const { id: givenId, name, defaultLanguage } = entry;
  const stored = await matchOrganization(ctx.tx, entry, path);
  const id = stored?.id ?? orFail(await addOrganization(ctx, { id: givenId, name, defaultLanguage }), path);
  if (!stored) report.created.push(`organization ${name}`);
  else if (await changeOrganization(ctx, stored, { name, defaultLanguage })) {
    report.updated.push(`organization ${name}`);
  }
  await applyMetadata(run, { kind: "organization", id, organizationId: id }, name, entry.metadata);
  return { id, primaryDomain: await applyDomains(run, { id, name, domains: stored?.domains ?? [] }, entry, path) };
}

type Known = Pick<OrganizationWithDomains, "id" | "name" | "domains">;

/** Applies the domains. @returns the primary domain */
async function applyDomains(run: Run, known: Known, entry: OrganizationEntry, path: string): Promise<string> {
  const { ctx, report } = run;
  for (const [index, { domain, verified = false }] of (entry.domains ?? []).entries()) {
    const stored = known.domains.find((row) => row.domain === domain);
    if (stored && (stored.isVerified || !verified)) continue;
    const owner = verified ? await readVerifiedOwner(ctx.tx, domain) : undefined;
    if (owner !== undefined) failAt(`${path}.domains[${index}].domain`, reason("verified_elsewhere"));
    if (stored) await verifyDomain(ctx, known.id, domain);
    else await addDomain(ctx, known.id, domain, verified);
    (stored ? report.updated : report.created).push(`domain ${domain}`);
  }
  return applyPrimaryDomain(run, known, entry, path);
}

async function applyPrimaryDomain(run: Run, known: Known, entry: OrganizationEntry, path: string): Promise<string> {
  const { ctx, report } = run;
  const current = known.domains.find((row) => row.isPrimary)?.domain;
  const chosen = entry.domains?.find((row) => row.primary)?.domain;
  // Choice: if the file marks none, the first verified one becomes primary.
  const wanted = chosen ?? current ?? entry.domains?.find((row) => row.verified)?.domain;
  if (wanted === undefined) {
    const domain = await addFreePrimaryDomain(ctx, known);
    report.created.push(`domain ${domain}`);
    return domain;
  }
  if (wanted === current) return wanted;
  const taken = await readTakenLoginName(ctx.tx, known.id, wanted);
  if (taken !== undefined) failAt(`${path}.domains`, reason("login_name_taken", { name: taken }));
  await setPrimaryDomain(ctx, known.id, wanted);
  if (current !== undefined) report.updated.push(`primary domain of ${known.name}`);
  return wanted;
}
