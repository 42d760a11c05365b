/**
 * The feature API (rules EXCHANGE-1, API-9): what is
 * switched on, and at which level. Levels inherit from the built-in values, then the system, then the instance; only
 * the instance can have values of its own here, organizations and users inherit them.
 */
import type { Context } from "../context";
import { type FeatureSettings, INSTANCE_FEATURES } from "../directory/features";
import { findInstance } from "../directory/instance";
import { readFeatures, resetFeatures, setFeatures } from "../directory/instance-settings";
import { findDetails } from "../events/details";
import type { Details, Origin } from "../events/record";
import { type ApiError, failedPrecondition, invalidArgument, isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";

export type FeatureLevel = "system" | "instance" | "organization" | "user";

export interface FeatureFlag {
  enabled: boolean;
  /** The level it was set at; left out for a built-in value. */
  source?: "SOURCE_INSTANCE";
}

export type Features = Record<string, FeatureFlag> & { details?: Details };

/** What is set at a level or, with inheritance, what is in force there. */
export async function getFeatures(ctx: Context, level: FeatureLevel, inheritance: boolean): Promise<Features> {
  const { id } = await findInstance(ctx);
  const set: FeatureSettings = level === "system" ? {} : await readFeatures(ctx);
  const known = INSTANCE_FEATURES.filter((name) => inheritance || (level === "instance" && set[name] !== undefined));
  const others = inheritance || level === "instance" ? Object.keys(set) : [];
  const flags = [...new Set<string>([...known, ...others])].map((name) => {
    const enabled = set[name];
    return [name, enabled === undefined ? { enabled: false } : { enabled, source: "SOURCE_INSTANCE" }] as const;
  });
  const details = level === "instance" ? { details: await findDetails(ctx, "instance", id) } : {};
  return { ...details, ...(Object.fromEntries(flags) as Record<string, FeatureFlag>) } as Features;
}

/** @param body as the caller sent it; members that are left out keep their values */
export async function putFeatures(
  ctx: Context,
  level: FeatureLevel,
  body: unknown,
  origin: Origin,
): Promise<Details | ApiError> {
  const wanted = parseFeatures(body);
  if (isApiError(wanted)) return wanted;
  return inheriting(level) ?? setFeatures(ctx, wanted, origin);
}

/** Makes the level inherit every feature again. */
export async function deleteFeatures(ctx: Context, level: FeatureLevel, origin: Origin): Promise<Details | ApiError> {
  return inheriting(level) ?? resetFeatures(ctx, origin);
}

function inheriting(level: FeatureLevel): ApiError | undefined {
  if (level === "instance") return undefined;
  return failedPrecondition(
    "feature.inherited",
    "Features are set on the instance and inherited here. Change them there.",
  );
}

/** More than any service of this kind has, so that no caller fills the row. */
const MAX_FLAGS = 50;

/**
 * Accepts both spellings that the JSON of protocol buffers has, `oidcTokenExchange` and `oidc_token_exchange`; null
 * counts as left out. Flags without an effect here are kept; other values of theirs, such as lists, are not flags and are
 * left out.
 */
function parseFeatures(body: unknown): FeatureSettings | ApiError {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return invalidArgument("request.not_an_object", "Send the features as a JSON object.");
  }
  const wanted: Record<string, boolean> = {};
  for (const [field, value] of Object.entries(body)) {
    const feature = INSTANCE_FEATURES.find((name) => name === field || snakeCase(name) === field);
    const name = feature ?? camelCase(field);
    if (value === null || (!feature && (typeof value !== "boolean" || !FLAG.test(name)))) continue;
    if (typeof value !== "boolean")
      return invalidArgument("feature.not_boolean", "Must be true or false.", {
        field,
        reason: reason("boolean"),
      });
    wanted[name] = value;
    if (Object.keys(wanted).length > MAX_FLAGS) {
      return invalidArgument("feature.unknown", `There are more than ${MAX_FLAGS} features.`);
    }
  }
  return wanted;
}

/** `details` stands beside the flags in answers. */
const FLAG = /^(?!details$)[a-z][A-Za-z0-9]{0,63}$/;
const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
