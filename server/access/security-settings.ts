/**
 * The instance's security settings (rule API-9): whether impersonation is allowed, and whether OAuth metadata is
 * published. Similar services have settings that allow pages to be framed; that is never allowed here (attack:
 * clickjacking).
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { readSecuritySettings, setSecuritySettings } from "../directory/instance-settings";
import { findDetails } from "../events/details";
import type { Details, Origin } from "../events/record";
import { type ApiError, failedPrecondition } from "../protocol/api-error";

export async function getSecuritySettings(ctx: Context) {
  const { id } = await findInstance(ctx);
  return { details: await findDetails(ctx, "instance", id), settings: await readSecuritySettings(ctx) };
}

/** The settings of version 2 and of version 1; null is treated as absent. */
export interface SecurityWanted {
  enableImpersonation?: boolean | null;
  oauthMetadata?: boolean | null;
  embeddedIframe?: { enabled?: boolean | null; allowedOrigins?: readonly string[] | null } | null;
  enableIframeEmbedding?: boolean | null;
  allowedOrigins?: readonly string[] | null;
}

/** Replaces all settings; omitted ones are switched off. */
export async function putSecuritySettings(
  ctx: Context,
  { enableImpersonation, oauthMetadata, ...framing }: SecurityWanted,
  origin: Origin,
): Promise<Details | ApiError> {
  const field = framingIn(framing);
  if (field !== undefined) {
    return failedPrecondition(
      "security.framing_refused",
      "Pages of this service cannot be framed. Leave out enableIframeEmbedding or set it to false.",
      { field },
    );
  }
  const wanted = { enableImpersonation: enableImpersonation ?? false, oauthMetadata: oauthMetadata ?? false };
  return setSecuritySettings(ctx, wanted, origin);
}

/** Returns the member that requests pages that can be framed. */
function framingIn(wanted: Omit<SecurityWanted, "enableImpersonation" | "oauthMetadata">): string | undefined {
  if (wanted.embeddedIframe?.enabled) return "embeddedIframe";
  if (wanted.enableIframeEmbedding) return "enableIframeEmbedding";
  return wanted.allowedOrigins?.length ? "allowedOrigins" : undefined;
}
