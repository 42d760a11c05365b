/**
 * Identity providers: services elsewhere by which users sign in. The service or an organization owns them. One of an
 * organization signs in only users of that organization, because its owner decides what it says. The client secret is
 * sealed in its row, kept out of events and never shown again.
 */
import type { Context } from "../../context";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import type {
  IdentityProviderKind,
  IdentityProviderOptions,
  IdentityProviderSettings,
} from "../../protocol/identity-provider";
import type { ProviderMapping } from "../../protocol/provider-mapping";
import {
  findIdentityProviderRow,
  type IdentityProviderRow,
  listIdentityProviderRows,
} from "../../storage/identity-provider/providers";
import { createCache } from "../cache";
import { findInstance } from "../instance";
import { findPolicy } from "../policy/policies";

export interface IdentityProvider {
  id: string;
  ownerId: string;
  kind: IdentityProviderKind;
  name: string;
  isActive: boolean;
  settings: IdentityProviderSettings;
  options: IdentityProviderOptions;
  mapping: ProviderMapping | null;
  /**
   * The opened secret, or the keys of a SAML service provider; null for a public client, undefined if the key that
   * sealed it is lost.
   */
  secret: string | null | undefined;
  /** The user answerable for it, or the operator; null if unknown. */
  changedBy: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
}

export const noIdentityProvider = (): ApiError =>
  notFound("identity_provider.not_found", "This identity provider does not exist. Check its ID.");

/** More than any sign-in page needs. */
export const MAX_IDENTITY_PROVIDERS = 50;
export const tooManyIdentityProviders = (): ApiError =>
  failedPrecondition("identity_provider.too_many", `There are ${MAX_IDENTITY_PROVIDERS} at most: remove one.`);

function openIdentityProvider(ctx: Context, row: IdentityProviderRow): IdentityProvider {
  const { state, sealedSecret, kind, ...rest } = row;
  return {
    ...rest,
    kind: kind as IdentityProviderKind,
    isActive: state === "active",
    secret: sealedSecret === null ? null : ctx.secrets.open("identity-provider", sealedSecret),
  };
}

const cache = createCache<{ providers: readonly IdentityProvider[] }>("identityProviders", (ownerId) => [ownerId]);

/** Returns the providers of the service or of an organization, oldest first. */
export async function listIdentityProviders(ctx: Context, ownerId: string): Promise<readonly IdentityProvider[]> {
  const found = await cache.get(ctx, ownerId, async () => {
    const rows = await listIdentityProviderRows(ctx.db, ownerId);
    return { providers: rows.map((row) => openIdentityProvider(ctx, row)) };
  });
  return found?.providers ?? [];
}

/**
 * Returns the providers that an organization may offer: its own and the service's.
 * @param organizationId undefined for the instance
 */
export async function listUsableProviders(
  ctx: Context,
  organizationId: string | undefined,
): Promise<readonly IdentityProvider[]> {
  const ofService = await listIdentityProviders(ctx, (await findInstance(ctx)).id);
  return organizationId === undefined
    ? ofService
    : [...(await listIdentityProviders(ctx, organizationId)), ...ofService];
}

/** Returns a provider of any owner. */
export async function findStoredProvider(ctx: Context, id: string): Promise<IdentityProvider | undefined> {
  const row = await findIdentityProviderRow(ctx.db, id);
  return row && openIdentityProvider(ctx, row);
}

/** Returns a provider that may be read by its owner or, if it is the service's, by anyone; undefined otherwise. */
export async function findReadableProvider(
  ctx: Context,
  ownerId: string,
  id: string,
): Promise<IdentityProvider | undefined> {
  const row = await findIdentityProviderRow(ctx.db, id);
  const isReadable = row && (row.ownerId === ownerId || row.ownerId === (await findInstance(ctx)).id);
  return isReadable ? openIdentityProvider(ctx, row) : undefined;
}

/**
 * Returns the active providers that the organization's policy offers, in the order of their buttons; none if its login
 * policy turns them off.
 * @param organizationId undefined if no organization is known: the instance's policy applies
 */
export async function listOfferedProviders(
  ctx: Context,
  organizationId: string | undefined,
): Promise<readonly IdentityProvider[]> {
  const { offered } = await findPolicy(ctx, "identityProviders", organizationId);
  if (offered.length === 0 || !(await findPolicy(ctx, "login", organizationId)).allowExternalIdp) return [];
  const usable = await listUsableProviders(ctx, organizationId);
  return offered.flatMap((id) => usable.find((one) => one.id === id && one.isActive && isComplete(one)) ?? []);
}

/** Whether users can be sent there: a SAML provider may be added before its metadata is known. */
const isComplete = ({ kind, settings: { metadataXml, metadataUrl } }: IdentityProvider): boolean =>
  kind !== "saml" || metadataXml !== undefined || metadataUrl !== undefined;
