/**
 * Identity providers in the bootstrap file. The rules of the API apply to them. A stored one is found by its name; its
 * stored secret takes precedence over the file's (rule BOOTSTRAP-2), unless the server has changed.
 */
import { isDeepStrictEqual } from "node:util";
import {
  addIdentityProviderIn,
  changeIdentityProviderIn,
  setIdentityProviderStateIn,
} from "../directory/identity-provider/edit";
import {
  type DeclaredIdentityProvider,
  isSameProvider,
  readIdentityProviderForm,
} from "../directory/identity-provider/forms";
import { offerIn, readOwnOffers } from "../directory/identity-provider/offered";
import { withOwnKey } from "../directory/identity-provider/saml-keys";
import type { ProviderOwner } from "../directory/provider/channel";
import { isApiError } from "../protocol/api-error";
import { IDENTITY_PROVIDER_KINDS, providerKinds } from "../protocol/identity-provider";
import { reason } from "../protocol/reason";
import { readIdentityProviders } from "../storage/identity-provider/providers";
import { failAt } from "./mistakes";
import type { Run } from "./run";

/** Applies the providers of one owner. @param path of the list in the file */
export async function applyIdentityProviders(
  run: Run,
  owner: ProviderOwner,
  entries: readonly DeclaredIdentityProvider[],
  path: string,
): Promise<void> {
  for (const [index, entry] of entries.entries()) await applyEntry(run, owner, entry, `${path}[${index}]`);
}

async function applyEntry(
  { ctx, tx, origin, report, instance }: Run,
  owner: ProviderOwner,
  entry: DeclaredIdentityProvider,
  at: string,
): Promise<void> {
  const { name, offered = true, active = true, providerOptions } = entry;
  const kind = IDENTITY_PROVIDER_KINDS.find((one) => entry[providerKinds[one].member]) ?? "oidc";
  const { member } = providerKinds[kind];
  const stored = (await readIdentityProviders(tx, owner.ownerId)).find((row) => row.name === name);
  if (stored && stored.kind !== kind) failAt(at, reason("other_kind", { kind: stored.kind }));
  const read = readIdentityProviderForm(ctx, kind, { name, providerOptions, ...entry[member] });
  if (isApiError(read)) return failAt([at, member, read.field].filter(Boolean).join("."), read.message);
  const isSaved = stored?.sealedSecret && isSameProvider(stored.settings, read.settings);
  const wanted = isSaved ? { ...read, secret: undefined } : await withOwnKey(ctx, kind, read);
  const { fetchedXml: _, ...settings } = stored?.settings ?? {};
  const differs = !isDeepStrictEqual(settings, read.settings) || !isDeepStrictEqual(stored?.options, read.options);
  const refused = (outcome: unknown) =>
    isApiError(outcome) ? failAt([at, member, outcome.field].filter(Boolean).join("."), outcome.message) : outcome;
  if (stored && differs) refused(await changeIdentityProviderIn(ctx, tx, owner, stored, wanted, origin));
  const provider = stored ?? (await addIdentityProviderIn(ctx, tx, owner, kind, wanted, origin));
  if (isApiError(provider)) return void refused(provider);
  const { id } = provider;
  const state = active ? "active" : "inactive";
  const changesState = (stored?.state ?? "active") !== state;
  if (changesState) await setIdentityProviderStateIn(ctx, tx, owner, id, state, origin);
  const begins = offered && !(await readOwnOffers(tx, owner.ownerId)).includes(id);
  if (begins) refused(await offerIn(ctx, tx, owner, { id, instanceId: instance.id }, origin));
  const label = `identity provider ${name} of ${owner.ownerId}`;
  if (!stored) report.created.push(label);
  else if (differs || changesState || begins) report.updated.push(label);
}
