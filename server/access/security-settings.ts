/**
 * The instance's security settings (rule API-9): whether acting for others is allowed. Other services
 * of this kind let pages be framed with the same settings; that is never allowed here (attack: clickjacking).
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { readSecuritySettings, setSecuritySettings } from "../directory/instance-settings";
import { findDetails } from "../events/details";
import type { Details, Origin } from "../events/record";
import { type ApiError, failedPrecondition, invalidArgument, isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";

export async function getSecuritySettings(ctx: Context) {
  const { id } = await findInstance(ctx);
  return { details: await findDetails(ctx, "instance", id), settings: await readSecuritySettings(ctx) };
}

/** @param body as the caller sent it; replaces all settings, what is left out is switched off */
export async function putSecuritySettings(ctx: Context, body: unknown, origin: Origin): Promise<Details | ApiError> {
  const enableImpersonation = parseSettings(body);
  if (isApiError(enableImpersonation)) return enableImpersonation;
  return setSecuritySettings(ctx, { enableImpersonation }, origin);
}

function parseSettings(body: unknown): boolean | ApiError {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return invalidArgument("request.not_an_object", "Send the settings as a JSON object.");
  }
  let enableImpersonation = false;
  for (const [field, value] of Object.entries(body)) {
    if (FRAMING.has(field)) {
      if (!asksForFraming(value)) continue;
      return failedPrecondition("security.framing_refused", "The pages of this service cannot be framed.", { field });
    }
    if (field !== "enableImpersonation" && field !== "enable_impersonation") {
      return invalidArgument("security.unknown", "There is no such setting.", { field: field.slice(0, 100) });
    }
    if (value === null) continue;
    if (typeof value !== "boolean")
      return invalidArgument("security.not_boolean", "Must be true or false.", {
        field,
        reason: reason("boolean"),
      });
    enableImpersonation = value;
  }
  return enableImpersonation;
}

/** The settings of framing, of version 2 and of version 1, in both spellings. */
const FRAMING: ReadonlySet<string> = new Set([
  ...["embeddedIframe", "embedded_iframe", "enableIframeEmbedding", "enable_iframe_embedding"],
  ...["allowedOrigins", "allowed_origins"],
]);

function asksForFraming(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (value as { enabled?: unknown } | null)?.enabled === true;
}
