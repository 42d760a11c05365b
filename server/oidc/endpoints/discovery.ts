/**
 * Discovery document (OpenID Connect Discovery 1.0 §3) and key set (RFC 7517 §5). Both are the same for all clients, so
 * they are kept serialized with their ETag. They may be cached for as long as a new key is published before it signs.
 */
import type { Context } from "../../context";
import { fingerprint } from "../../crypto/digest";
import { createCache } from "../../directory/cache";
import { isEnabled } from "../../directory/instance";
import { readSecuritySettings, type SecuritySettings } from "../../directory/instance-settings";
import { allowedLanguages, BUILT_IN_LANGUAGES } from "../../directory/policy/languages";
import { KEY_SET_CACHE_TIME, publicKeys } from "../../keys/signing-keys";
import { MULTI_FACTOR, SINGLE_FACTOR } from "../../protocol/authentication-context";
import { signingAlgorithms } from "../../protocol/client";
import { discoveryDocument } from "../../protocol/discovery";
import { type GrantType, grantTypes } from "../../protocol/grant-type";
import { type ManagementBase, protectedResourceMetadata } from "../../protocol/protected-resource";
import { grants } from "../grants/table";

/** A document that is public and rarely changes. */
export interface PublicDocument<Body = string> {
  body: Body;
  headers: Readonly<Record<string, string>>;
}

function publicDocument(value: unknown): PublicDocument {
  const body = JSON.stringify(value);
  return {
    body,
    headers: {
      "content-type": "application/json",
      "cache-control": `public, max-age=${KEY_SET_CACHE_TIME / 1000}, must-revalidate`,
      etag: `"${fingerprint(body)}"`,
      "access-control-allow-origin": "*", // public: any page may read it, without credentials
      "x-content-type-options": "nosniff",
    },
  };
}

/** Grants that depend on a feature; the others are always on. */
const SWITCHED = [...grants.values()].filter(({ feature }) => feature !== undefined);
const LASTING = grantTypes.filter((name) => !SWITCHED.some(({ grantType }) => grantType === name));

/** Returns the grants that are on. */
async function offeredGrants(ctx: Context): Promise<readonly GrantType[]> {
  const offered = new Set(LASTING);
  for (const { grantType, feature } of SWITCHED) {
    if (feature && (await isEnabled(ctx, feature.name))) offered.add(grantType);
  }
  return grantTypes.filter((name) => offered.has(name));
}

const ENDPOINTS = ["introspection", "revocation", "device_authorization", "pushed_authorization"] as const;

/** What the security settings change: how clients come that no administrator registered, and how requests come. */
interface WaysIn {
  registration: boolean;
  documents: boolean;
  /** Whether any of the two is on, or the metadata for clients of OAuth by itself (rules METADATA-1 and METADATA-3). */
  isForOauth: boolean;
  pushedOnly: boolean;
}

function waysIn(settings: SecuritySettings): WaysIn {
  const registration = settings.dynamicClientRegistration.enabled;
  const documents = settings.clientIdMetadataDocuments.enabled;
  return {
    registration,
    documents,
    isForOauth: settings.oauthMetadata || registration || documents,
    pushedOnly: settings.requirePushedAuthorizationRequests,
  };
}

/** Whether clients can show certificates: on the port for them, or to a trusted proxy. */
export const acceptsCertificates = ({ config: { mtls, trustedProxies } }: Context): boolean =>
  mtls.port !== undefined || mtls.url !== undefined || trustedProxies.length > 0;

/** Cached, so that a request costs no more than sending the document. */
const documents = createCache<PublicDocument>("discovery");

/**
 * Returns what this service offers at the time of the request; see protocol/discovery for the rules. A grant that
 * belongs to a feature is listed while the feature is on. The document is rebuilt only when it changes.
 */
export function discovery(ctx: Context): () => Promise<PublicDocument> {
  const documentOf = (grantTypes: readonly GrantType[], uiLocales: readonly string[], ways?: WaysIn) =>
    publicDocument(
      discoveryDocument(ctx.config.baseUrl, {
        grantTypes,
        endpoints: ways?.registration ? [...ENDPOINTS, "registration"] : ENDPOINTS,
        metadataDocuments: ways?.documents,
        isForOauth: ways?.isForOauth,
        requirePushedRequests: ways?.pushedOnly,
        certificates: acceptsCertificates(ctx) ? { base: ctx.config.mtls.url } : undefined,
        signingAlgorithms,
        uiLocales,
        acrValues: [SINGLE_FACTOR, MULTI_FACTOR],
      }),
    );
  let latest = documentOf(LASTING, BUILT_IN_LANGUAGES);
  let latestOf = "";
  const key = ctx.config.baseUrl;
  const current = async () => {
    const offered = await offeredGrants(ctx);
    const allowed = await allowedLanguages(ctx);
    const ways = waysIn(await readSecuritySettings(ctx));
    const of = JSON.stringify([offered, allowed, ways]);
    if (of !== latestOf) latest = documentOf(offered, allowed, ways);
    latestOf = of;
    return latest;
  };
  return async () => {
    try {
      return (await documents.get(ctx, key, current)) ?? latest;
    } catch (error) {
      // Clients that start while the database is unavailable need this document, so the latest one is returned.
      ctx.log.warn({ err: error }, "discovery could not look up the features");
      return latest;
    }
  };
}

/** Returns the metadata of a management API as a protected resource (RFC 9728). */
export function protectedResource(ctx: Context, base: ManagementBase): PublicDocument {
  return publicDocument(
    protectedResourceMetadata(ctx.config.baseUrl, base, { certificates: acceptsCertificates(ctx) }),
  );
}

/** The last value by database, for an outage. */
const metadataOn = new WeakMap<Context["db"], boolean>();

/** Whether the metadata for clients of OAuth is published. */
export async function isOauthMetadataOn(ctx: Context): Promise<boolean> {
  try {
    const { isForOauth: isOn } = waysIn(await readSecuritySettings(ctx));
    metadataOn.set(ctx.db, isOn);
    return isOn;
  } catch (error) {
    const latest = metadataOn.get(ctx.db);
    if (latest === undefined) throw error;
    return latest;
  }
}

let keySetOf: { keys: unknown; document: PublicDocument } | undefined;

/** Returns the public keys that verify what this service signs. */
export async function keySet(ctx: Context): Promise<PublicDocument> {
  const keys = await publicKeys(ctx);
  if (keySetOf?.keys !== keys) keySetOf = { keys, document: publicDocument({ keys }) };
  return keySetOf.document;
}
