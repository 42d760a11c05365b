/**
 * The identity providers that a login policy offers. An organization that offers any provider of its own choice has its
 * own list; without one, it offers the instance's.
 */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { type ApiError, alreadyExists, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readIdentityProvider } from "../../storage/identity-provider/providers";
import { readPoliciesOf, readPolicy } from "../../storage/policy/policy";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { removePolicy, setPolicy } from "../policy/policies";
import { resolvePolicy } from "../policy/resolve-policy";
import { checkPrivilegeOverMessages, type ProviderOwner } from "../provider/channel";
import { noIdentityProvider } from "./identity-provider";

/** Offers a provider of the owner or of the service on sign-in pages, as the last one of the list. */
export async function offerProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  const refusal = await checkPrivilegeOverMessages(ctx, origin.actor, owner);
  if (refusal) return refusal;
  const instanceId = (await findInstance(ctx)).id;
  return changeDirectory(ctx, (tx) => offerIn(ctx, tx, owner, { id, instanceId }, origin));
}

/** Offers a provider. The caller has checked the permissions. */
export async function offerIn(
  ctx: Context,
  tx: Transaction,
  { ownerId }: ProviderOwner,
  { id, instanceId }: { id: string; instanceId: string },
  origin: Origin,
): Promise<Details | ApiError> {
  const known = (await readIdentityProvider(tx, ownerId, id)) ?? (await readIdentityProvider(tx, instanceId, id));
  if (!known) return noIdentityProvider();
  const offered = await readOwnOffers(tx, ownerId);
  if (offered.includes(id)) return alreadyExists("identity_provider.offered", "This provider is offered already.");
  return setPolicy(ctx, tx, ownerId, "identityProviders", { offered: [...offered, id] }, origin);
}

/** Withdraws a provider from sign-in pages; its links stay. */
export function withdrawProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    const done = await withdrawProviderIn(ctx, tx, owner, id, origin);
    return done ?? notFound("identity_provider.not_offered", "This provider is not offered here.");
  });
}

/**
 * Withdraws a provider. An organization that has withdrawn the last provider of its list offers the instance's again;
 * one that withdraws an inherited provider has a list of its own from then on, which may be empty.
 * @returns undefined if it is not offered
 */
export async function withdrawProviderIn(
  ctx: Context,
  tx: Transaction,
  { level, ownerId }: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | undefined> {
  const stored = await readPolicy(tx, ownerId, "identityProviders");
  const levels = level === "instance" ? [stored] : await readPoliciesOf(tx, ownerId, "identityProviders");
  const { offered } = resolvePolicy("identityProviders", levels);
  if (!offered.includes(id)) return undefined;
  const rest = offered.filter((one) => one !== id);
  if (stored && rest.length === 0) return removePolicy(ctx, tx, ownerId, "identityProviders", origin);
  return setPolicy(ctx, tx, ownerId, "identityProviders", { offered: rest }, origin);
}

/** Returns the ids of an owner's own list; empty if it has none. */
export async function readOwnOffers(tx: Transaction, ownerId: string): Promise<readonly string[]> {
  const stored = await readPolicy(tx, ownerId, "identityProviders");
  return (stored?.offered as string[] | undefined) ?? [];
}
