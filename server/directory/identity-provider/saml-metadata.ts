/**
 * The metadata of SAML providers: given by the administrator, or read from an address, where it changes when the
 * provider changes its keys. That is read again every hour. If it cannot be read, the last one that could is used,
 * which is stored with the provider. Its entity id must stay the same, because links are made to that provider.
 */
import type { Context } from "../../context";
import { guardedText } from "../../net/guarded-fetch";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { IdentityProviderKind, IdentityProviderSettings } from "../../protocol/identity-provider";
import { reason } from "../../protocol/reason";
import {
  certificateEnd,
  MAX_METADATA,
  MetadataRefused,
  readProviderMetadata,
  type SamlProvider,
} from "../../protocol/saml/provider-metadata";
import { readIdentityProvider, updateIdentityProvider } from "../../storage/identity-provider/providers";
import { callRules } from "../provider/webhook";
import { type ReadProvider, readIdentityProviderForm, wrongIdentityProvider } from "./forms";
import type { IdentityProvider } from "./identity-provider";

/** How long metadata from an address is used, in milliseconds. */
const FRESH = 3_600_000;
/** How long an address that failed, or was just read, is not asked again, in milliseconds. */
const RETRY = 60_000;
/** Beyond this many, all are read again. */
const MAX_KNOWN = 1_000;
const ACCEPT = "application/samlmetadata+xml, application/xml, text/xml";

interface KnownMetadata {
  metadata: SamlProvider;
  url: string | undefined;
  /** When the provider was last changed, after which it is asked again. */
  changedAt: number;
  askedAt: number;
  /** Whether the last call failed, so that this is older. */
  hasFailed: boolean;
}

const memories = new WeakMap<Context["db"], Map<string, KnownMetadata>>();

/** Parses a form and, if it names an address of metadata, reads it. */
export async function readCheckedProviderForm(
  ctx: Context,
  kind: IdentityProviderKind,
  given: unknown,
): Promise<ReadProvider | ApiError> {
  const read = readIdentityProviderForm(ctx, kind, given);
  if (isApiError(read) || read.settings.metadataUrl === undefined) return read;
  try {
    const fetchedXml = await fetchMetadata(ctx, read.settings.metadataUrl);
    readProviderMetadata(fetchedXml);
    return { ...read, settings: { ...read.settings, fetchedXml } };
  } catch (error) {
    const why = error instanceof MetadataRefused ? error.reason : reason("saml_unreachable");
    return wrongIdentityProvider("metadataUrl", why);
  }
}

async function fetchMetadata(ctx: Context, url: string): Promise<string> {
  const resolve = ctx.resolver?.addresses;
  const answer = await guardedText(url, ACCEPT, { ...callRules(ctx), resolve, largest: MAX_METADATA });
  if ("error" in answer) throw new Error(`the metadata could not be read: ${answer.error}`);
  return answer.text;
}

/** Returns what is stored of a provider's metadata, without asking for it; undefined if nothing is. */
export function knownMetadata({ settings }: Pick<IdentityProvider, "settings">): SamlProvider | undefined {
  const text = settings.metadataXml ?? settings.fetchedXml;
  return text === undefined ? undefined : readProviderMetadata(text);
}

/** Returns when the last known certificate of a provider ends, in epoch milliseconds. */
export function certificatesEnd(settings: IdentityProviderSettings): number | null {
  const known = knownMetadata({ settings });
  return known ? Math.max(...known.certificates.map(certificateEnd)) : null;
}

/**
 * Returns the metadata of a provider. Rejects if it is not known.
 * @param atMostAge milliseconds; a younger copy than the usual one may be wanted to find a new key
 */
export async function findSamlMetadata(
  ctx: Context,
  provider: IdentityProvider,
  atMostAge = FRESH,
): Promise<SamlProvider> {
  const { changedAt } = provider;
  const { metadataUrl: url } = provider.settings;
  const memory = memories.get(ctx.db) ?? new Map<string, KnownMetadata>();
  memories.set(ctx.db, memory);
  const last = memory.get(provider.id);
  const known = last && last.url === url && last.changedAt === changedAt ? last : undefined;
  const age = known && ctx.clock() - known.askedAt;
  const isFresh = age !== undefined && age >= 0 && age < (known?.hasFailed ? RETRY : Math.max(atMostAge, RETRY));
  if (known && (url === undefined || isFresh)) return known.metadata;
  if (memory.size >= MAX_KNOWN) memory.clear();
  const keep = (metadata: SamlProvider, hasFailed: boolean) => {
    memory.set(provider.id, { metadata, url, changedAt, askedAt: ctx.clock(), hasFailed });
    return metadata;
  };
  const former = known?.metadata ?? knownMetadata(provider);
  if (url === undefined) {
    if (!former) throw new Error("the metadata is missing");
    return keep(former, false);
  }
  try {
    const text = await fetchMetadata(ctx, url);
    const metadata = readProviderMetadata(text);
    if (former && former.entityId !== metadata.entityId) throw new Error("the metadata has another entityID");
    if (text !== provider.settings.fetchedXml) await storeFetched(ctx, provider, url, text);
    return keep(metadata, false);
  } catch (error) {
    if (!former) throw error;
    const why = error instanceof Error ? error.message : "unforeseen";
    ctx.log.info({ providerId: provider.id, reason: why }, "metadata of an identity provider could not be read");
    return keep(former, true);
  }
}

/**
 * Verifies a message by the keys of a provider, and once more if its signature failed and the provider has changed its
 * keys since they were read.
 */
export async function verifyByProviderKeys<T>(
  ctx: Context,
  provider: IdentityProvider,
  verify: (metadata: SamlProvider) => T,
  hasFailedBySignature: () => boolean,
): Promise<T> {
  const metadata = await findSamlMetadata(ctx, provider);
  try {
    return verify(metadata);
  } catch (error) {
    const newer = hasFailedBySignature() ? await findSamlMetadata(ctx, provider, RETRY) : metadata;
    if (newer.certificates.join() === metadata.certificates.join()) throw error;
    return verify(newer);
  }
}

/** Stores what was read for other processes and for later, unless the provider was changed meanwhile. */
async function storeFetched(ctx: Context, { id, ownerId }: IdentityProvider, url: string, fetchedXml: string) {
  await ctx.db.transaction(async (tx) => {
    const row = await readIdentityProvider(tx, ownerId, id);
    if (row?.settings.metadataUrl !== url) return;
    const settings = { ...row.settings, fetchedXml };
    await updateIdentityProvider(tx, id, { settings, certificateExpiresAt: certificatesEnd(settings) }, row.changedAt);
  });
}
