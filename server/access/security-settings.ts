/**
 * The instance's security settings (rule API-9): whether impersonation is allowed, whether OAuth metadata is published,
 * whether all apps must push their requests, and how clients may come that no administrator registered. Similar
 * services have settings that allow pages to be framed; that is never allowed here (attack: clickjacking).
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { readSecuritySettings, type SecuritySettings, setSecuritySettings } from "../directory/instance-settings";
import type { Details, OriginContext } from "../events/record";
import { findDetails } from "../events/record";
import { type ApiError, failedPrecondition } from "../protocol/api-error";

export async function getSecuritySettings(ctx: Context) {
  const { id } = await findInstance(ctx);
  return { details: await findDetails(ctx, "instance", id), settings: await readSecuritySettings(ctx) };
}

type Nullish<Settings> = { [Name in keyof Settings]?: Settings[Name] | null } | null;

/** The settings of version 2 and of version 1; null is treated as absent. */
export interface SecurityWanted {
  enableImpersonation?: boolean | null;
  oauthMetadata?: boolean | null;
  requirePushedAuthorizationRequests?: boolean | null;
  dynamicClientRegistration?: Nullish<SecuritySettings["dynamicClientRegistration"]>;
  clientIdMetadataDocuments?: Nullish<SecuritySettings["clientIdMetadataDocuments"]>;
  embeddedIframe?: { enabled?: boolean | null; allowedOrigins?: readonly string[] | null } | null;
  enableIframeEmbedding?: boolean | null;
  allowedOrigins?: readonly string[] | null;
}

/** Replaces all settings; omitted ones are switched off. */
export async function putSecuritySettings(
  ctx: OriginContext,
  {
    enableImpersonation,
    oauthMetadata,
    requirePushedAuthorizationRequests,
    dynamicClientRegistration,
    clientIdMetadataDocuments,
    ...framing
  }: SecurityWanted,
): Promise<Details | ApiError> {
  const field = framingIn(framing);
  if (field !== undefined) {
    return failedPrecondition(
      "security.framing_refused",
      "Pages of this service cannot be framed. Leave out enableIframeEmbedding or set it to false.",
      { field },
    );
  }
  const wanted: SecuritySettings = {
    enableImpersonation: enableImpersonation ?? false,
    oauthMetadata: oauthMetadata ?? false,
    requirePushedAuthorizationRequests: requirePushedAuthorizationRequests ?? false,
    dynamicClientRegistration: {
      enabled: dynamicClientRegistration?.enabled ?? false,
      allowUnauthenticated: dynamicClientRegistration?.allowUnauthenticated ?? false,
    },
    clientIdMetadataDocuments: {
      enabled: clientIdMetadataDocuments?.enabled ?? false,
      allowedHosts: clientIdMetadataDocuments?.allowedHosts ?? [],
      deniedHosts: clientIdMetadataDocuments?.deniedHosts ?? [],
    },
  };
  return setSecuritySettings(ctx, wanted);
}

/** Returns the member that requests pages that can be framed. */
function framingIn(
  wanted: Pick<SecurityWanted, "embeddedIframe" | "enableIframeEmbedding" | "allowedOrigins">,
): string | undefined {
  if (wanted.embeddedIframe?.enabled) return "embeddedIframe";
  if (wanted.enableIframeEmbedding) return "enableIframeEmbedding";
  return wanted.allowedOrigins?.length ? "allowedOrigins" : undefined;
}
