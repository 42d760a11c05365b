/**
 * Changes the instance's features and security settings: the given ones are stored, the others are kept, and the event
 * records the difference.
 */
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../context";
import { difference } from "../events/difference";
import { type Details, type OriginContext, recordIn, UNCHANGED } from "../events/record";
import { lockInstanceRow, updateInstanceRow } from "../storage/instance/instance";
import { changeDirectory } from "./change";
import type { FeatureSettings } from "./features";
import { findInstance } from "./instance";

/** Returns the features set at instance level, by name; the others are off. */
export async function readFeatures(ctx: Context): Promise<FeatureSettings> {
  return (await findInstance(ctx)).features as FeatureSettings;
}

/** Sets the given features; the others are kept. */
export function setFeatures(ctx: OriginContext, wanted: FeatureSettings): Promise<Details> {
  return changeInstanceColumn(ctx, "features", (stored) => ({ ...stored, ...wanted }));
}

/** Resets all features to their built-in values. */
export function resetFeatures(ctx: OriginContext): Promise<Details> {
  return changeInstanceColumn(ctx, "features", () => ({}));
}

export interface SecuritySettings {
  /** Whether users with the required role may impersonate others, see oidc/impersonation. */
  enableImpersonation: boolean;
  /** Whether discovery is also published as OAuth metadata (RFC 8414), even if no client can come by itself. */
  oauthMetadata: boolean;
  /** Whether authorization requests of every app must be pushed (RFC 9126 §5). */
  requirePushedAuthorizationRequests: boolean;
  /** Whether clients can register themselves (RFC 7591), and without an initial access token. */
  dynamicClientRegistration: { enabled: boolean; allowUnauthenticated: boolean };
  clientIdMetadataDocuments: {
    /** Whether a client id may be the URL of a metadata document. */
    enabled: boolean;
    /** The hosts of documents, or `*.` and a domain; empty for any host. */
    allowedHosts: readonly string[];
    /** Hosts that are refused, even if they are allowed. */
    deniedHosts: readonly string[];
  };
}

type Stored<Settings> = { [Name in keyof Settings]?: Partial<Settings[Name]> };

export async function readSecuritySettings(ctx: Context): Promise<SecuritySettings> {
  const stored = (await findInstance(ctx)).security as Stored<SecuritySettings>;
  const registration = stored.dynamicClientRegistration;
  const documents = stored.clientIdMetadataDocuments;
  return {
    enableImpersonation: stored.enableImpersonation === true,
    oauthMetadata: stored.oauthMetadata === true,
    requirePushedAuthorizationRequests: stored.requirePushedAuthorizationRequests === true,
    dynamicClientRegistration: {
      enabled: registration?.enabled === true,
      allowUnauthenticated: registration?.allowUnauthenticated === true,
    },
    clientIdMetadataDocuments: {
      enabled: documents?.enabled === true,
      allowedHosts: documents?.allowedHosts ?? [],
      deniedHosts: documents?.deniedHosts ?? [],
    },
  };
}

export function setSecuritySettings(ctx: OriginContext, wanted: Partial<SecuritySettings>): Promise<Details> {
  return changeInstanceColumn(ctx, "security", (stored) => ({ ...stored, ...wanted }));
}

/** Changes a column of settings; records nothing if nothing differs, and returns the current details. */
export async function changeInstanceColumn(
  ctx: OriginContext,
  column: "features" | "security" | "tokenLifetimes" | "codeLifetimes",
  change: (stored: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Promise<Details> {
  const { id } = await findInstance(ctx);
  return changeDirectory(ctx, (ctx) =>
    recordIn(ctx, {
      type: "instance.changed",
      object: { id, organizationId: id },
      async state() {
        const stored = (await lockInstanceRow(ctx.db, ctx.tx))?.[column] ?? {};
        const wanted = change(stored);
        if (isDeepStrictEqual(stored, wanted)) return UNCHANGED;
        await updateInstanceRow(ctx.tx, id, { [column]: wanted });
        return { payload: difference({ [column]: stored }, { [column]: wanted })?.payload };
      },
    }),
  );
}
