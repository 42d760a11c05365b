/**
 * The identity providers that a login policy offers. An organization that offers any provider of its own choice has its
 * own list; without one, it offers the instance's.
 */
import type { ChangeContext, Details, OriginContext } from "../../events/record";
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
export async function offerProvider(ctx: OriginContext, owner: ProviderOwner, id: string): Promise<Details | ApiError> {
  const refusal = await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner);
  if (refusal) return refusal;
  const instanceId = (await findInstance(ctx)).id;
  return changeDirectory(ctx, (ctx) => offerIn(ctx, owner, { id, instanceId }));
}

/** Offers a provider. The caller has checked the permissions. */
export async function offerIn(
  ctx: ChangeContext,
  { ownerId }: ProviderOwner,
  { id, instanceId }: { id: string; instanceId: string },
): Promise<Details | ApiError> {
  const known =
    (await readIdentityProvider(ctx.tx, ownerId, id)) ?? (await readIdentityProvider(ctx.tx, instanceId, id));
  if (!known) return noIdentityProvider();
  const offered = await readOwnOffers(ctx.tx, ownerId);
  if (offered.includes(id)) return alreadyExists("identity_provider.offered", "This provider is offered already.");
  return setPolicy(ctx, ownerId, "identityProviders", { offered: [...offered, id] });
}

/** Withdraws a provider from sign-in pages; its links stay. */
export function withdrawProvider(ctx: OriginContext, owner: ProviderOwner, id: string): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    const done = await withdrawProviderIn(ctx, owner, id);
    return done ?? notFound("identity_provider.not_offered", "This provider is not offered here.");
  });
}

/**
 * Withdraws a provider. An organization that has withdrawn the last provider of its list offers the instance's again;
 * one that withdraws an inherited provider has a list of its own from then on, which may be empty.
 * @returns undefined if it is not offered
 */
export async function withdrawProviderIn(
  ctx: ChangeContext,
  { level, ownerId }: ProviderOwner,
  id: string,
): Promise<Details | undefined> {
  const stored = await readPolicy(ctx.tx, ownerId, "identityProviders");
  const levels = level === "instance" ? [stored] : await readPoliciesOf(ctx.tx, ownerId, "identityProviders");
  const { offered } = resolvePolicy("identityProviders", levels);
  if (!offered.includes(id)) return undefined;
  const rest = offered.filter((one) => one !== id);
  if (stored && rest.length === 0) return removePolicy(ctx, ownerId, "identityProviders");
  return setPolicy(ctx, ownerId, "identityProviders", { offered: rest });
}

/** Returns the ids of an owner's own list; empty if it has none. */
export async function readOwnOffers(tx: Transaction, ownerId: string): Promise<readonly string[]> {
  const stored = await readPolicy(tx, ownerId, "identityProviders");
  return (stored?.offered as string[] | undefined) ?? [];
}
