/**
 * Identity providers in the bootstrap file, their mappings, and the accounts there that sign users in. The rules of the
 * API apply to them. A stored one is found by its name; its stored secret takes precedence over the file's (rule
 * BOOTSTRAP-2), unless the server has changed.
 */
import { isDeepStrictEqual } from "node:util";
import {
  addIdentityProviderIn,
  changeIdentityProviderIn,
  missingSecret,
  setIdentityProviderStateIn,
} from "../directory/identity-provider/edit";
import {
  type DeclaredOwnProvider,
  isSameProvider,
  readIdentityProviderForm,
} from "../directory/identity-provider/forms";
import { noIdentityProvider } from "../directory/identity-provider/identity-provider";
import { linkIdentityIn } from "../directory/identity-provider/links";
import { setProviderMappingIn } from "../directory/identity-provider/mapping";
import { offerIn, readOwnOffers } from "../directory/identity-provider/offered";
import { withOwnKey } from "../directory/identity-provider/saml-keys";
import type { ProviderOwner } from "../directory/provider/channel";
import { findUnknownRole } from "../directory/user-grant/check-roles";
import { isApiError } from "../protocol/api-error";
import { IDENTITY_PROVIDER_KINDS, providerKinds } from "../protocol/identity-provider";
import { reason } from "../protocol/reason";
import { readIdentityLink } from "../storage/identity-provider/links";
import { readIdentityProviders } from "../storage/identity-provider/providers";
import { readProject } from "../storage/project/project";
import { readProjectGrants } from "../storage/project/project-grants";
import { failAt, orFail } from "./mistakes";
import type { Run } from "./run";
import type { PersonEntry } from "./schema";
import { matchUsers } from "./users";

/** Applies the providers of one owner. @param path of the list in the file */
export async function applyIdentityProviders(
  run: Run,
  owner: ProviderOwner,
  entries: readonly DeclaredOwnProvider[],
  path: string,
): Promise<void> {
  for (const [index, entry] of entries.entries()) await applyEntry(run, owner, entry, `${path}[${index}]`);
}

async function applyEntry(
  { ctx, report, instance, secretsMayBeMissing }: Run,
  owner: ProviderOwner,
  entry: DeclaredOwnProvider,
  at: string,
): Promise<void> {
  const { name, offered = true, active = true, providerOptions } = entry;
  const kind = IDENTITY_PROVIDER_KINDS.find((one) => entry[providerKinds[one].member]) ?? "oidc";
  const { member } = providerKinds[kind];
  const stored = (await readIdentityProviders(ctx.tx, owner.ownerId)).find((row) => row.name === name);
  if (stored && stored.kind !== kind) failAt(at, reason("other_kind", { kind: stored.kind }));
  const read = readIdentityProviderForm(ctx, kind, { name, providerOptions, ...entry[member] });
  if (isApiError(read)) return failAt([at, member, read.field].filter(Boolean).join("."), read.message);
  const isSaved = stored?.sealedSecret && isSameProvider(stored.settings, read.settings);
  const wanted = isSaved ? { ...read, secret: undefined } : await withOwnKey(ctx, kind, read);
  const { fetchedXml: _, ...settings } = stored?.settings ?? {};
  const differs = !isAsStored(settings, read.settings) || !isAsStored(stored?.options, read.options);
  const refused = (outcome: unknown) =>
    isApiError(outcome) ? failAt([at, member, outcome.field].filter(Boolean).join("."), outcome.message) : outcome;
  if (stored && differs) refused(await changeIdentityProviderIn(ctx, owner, stored, wanted));
  const lacksSecret = !stored && secretsMayBeMissing && missingSecret(kind, wanted.settings, wanted.secret);
  if (lacksSecret) report.warnings.push(`${at}: the provider gets no secret; enter it before it is used`);
  const how = { secretMayBeMissing: secretsMayBeMissing };
  const provider = stored ?? (await addIdentityProviderIn(ctx, owner, kind, wanted, how));
  if (isApiError(provider)) return void refused(provider);
  const { id } = provider;
  const state = active ? "active" : "inactive";
  const changesState = (stored?.state ?? "active") !== state;
  if (changesState) await setIdentityProviderStateIn(ctx, owner, id, state);
  const begins = offered && !(await readOwnOffers(ctx.tx, owner.ownerId)).includes(id);
  if (begins) refused(await offerIn(ctx, owner, { id, instanceId: instance.id }));
  const label = `identity provider ${name} of ${owner.ownerId}`;
  if (!stored) report.created.push(label);
  else if (differs || changesState || begins) report.updated.push(label);
}

/** Whether values would be stored as the stored ones: members that are undefined are not. */
const isAsStored = (stored: unknown, given: object): boolean =>
  isDeepStrictEqual(stored, JSON.parse(JSON.stringify(given)));

/** Applies the mappings of providers, after the projects whose roles they give. */
export async function applyProviderMappings(
  { ctx, report }: Run,
  owner: ProviderOwner,
  entries: readonly DeclaredOwnProvider[],
  path: string,
): Promise<void> {
  const { level, ownerId: organizationId } = owner;
  for (const [index, { name, mapping }] of entries.entries()) {
    const stored = mapping && (await readIdentityProviders(ctx.tx, organizationId)).find((row) => row.name === name);
    if (!stored) continue;
    const roles = [];
    for (const [number, rule] of (mapping.roles ?? []).entries()) {
      const at = `${path}[${index}].mapping.roles[${number}]`;
      const { projectId, roleKeys } = rule;
      const project = await readProject(ctx.tx, projectId);
      const isOwn = level === "instance" ? project !== undefined : project?.organizationId === organizationId;
      const grant = isOwn
        ? undefined
        : (await readProjectGrants(ctx.tx, projectId)).find((one) => one.grantedOrganizationId === organizationId);
      if (!isOwn && !grant) failAt(`${at}.projectId`, reason("elsewhere", { what: "organization" }));
      const unknown = await findUnknownRole(ctx.tx, projectId, roleKeys, grant?.roleKeys as string[] | undefined);
      if (unknown !== undefined) failAt(`${at}.roleKeys[${unknown}]`, reason("project_role"));
      roles.push({ ...rule, ...(grant && { projectGrantId: grant.id }) });
    }
    const wanted = { ...mapping, ...(mapping.roles && { roles }) };
    if (isDeepStrictEqual(stored.mapping, wanted)) continue;
    await setProviderMappingIn(ctx, owner, stored.id, wanted);
    report.updated.push(`mapping of identity provider ${name} of ${organizationId}`);
  }
}

/** Applies the links of an organization's users, to its own providers and the service's; stored ones stay. */
export async function applyIdentityLinks(
  { ctx, report, instance }: Run,
  organizationId: string,
  entries: readonly PersonEntry[],
  path: string,
): Promise<void> {
  if (!entries.some(({ idpLinks }) => idpLinks)) return;
  const providers = [
    ...(await readIdentityProviders(ctx.tx, organizationId)),
    ...(await readIdentityProviders(ctx.tx, instance.id)),
  ];
  const match = await matchUsers(ctx.tx, organizationId, entries);
  for (const [index, entry] of entries.entries()) {
    const user = match(entry);
    for (const [number, { idpName, userId, userName = userId }] of (user ? (entry.idpLinks ?? []) : []).entries()) {
      const at = `${path}[${index}].idpLinks[${number}]`;
      const provider = providers.find(({ name }) => name === idpName) ?? failAt(`${at}.idpName`, noIdentityProvider());
      const linked = await readIdentityLink(ctx.tx, provider.id, userId);
      if (linked?.userId === user?.id || !user) continue;
      const link = { providerId: provider.id, externalId: userId, userName, providerName: idpName };
      orFail(await linkIdentityIn(ctx, user, link), at);
      report.created.push(`link of ${entry.userName} to identity provider ${idpName}`);
    }
  }
}
