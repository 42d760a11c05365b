/**
 * The feature API (rules EXCHANGE-1, API-9): which features are enabled, and at which level. Levels inherit from the
 * built-in values, then the system, then the instance. Only the instance can have its own values here; organizations
 * and users inherit them.
 */
import type { Context } from "../context";
import { FEATURE_FLAGS, type FeatureSettings, INSTANCE_FEATURES } from "../directory/features";
import { findInstance } from "../directory/instance";
import { readFeatures, resetFeatures, setFeatures } from "../directory/instance-settings";
import type { Details, OriginContext } from "../events/record";
import { findDetails } from "../events/record";
import { type ApiError, failedPrecondition } from "../protocol/api-error";

export type FeatureLevel = "system" | "instance" | "organization" | "user";

export interface FeatureFlag {
  enabled: boolean;
  /** The level it was set at; absent for a built-in value. */
  source?: "SOURCE_INSTANCE" | "SOURCE_SYSTEM";
}

export type Features = Record<string, FeatureFlag> & { details?: Details };

/** Returns the features set at a level or, with inheritance, the effective ones. */
export async function getFeatures(ctx: Context, level: FeatureLevel, inheritance: boolean): Promise<Features> {
  const { id } = await findInstance(ctx);
  const system: FeatureSettings = ctx.config.isZitadelCompatible ? { zitadelCompatibility: true } : {};
  const set: FeatureSettings = level === "system" ? {} : await readFeatures(ctx);
  const known = INSTANCE_FEATURES.filter((name) => inheritance || (level === "instance" && set[name] !== undefined));
  // Other names may have been stored when they were still accepted; the next reset removes them.
  const others = inheritance || level === "instance" ? FEATURE_FLAGS.filter((name) => set[name] !== undefined) : [];
  const flags = [...new Set<string>([...known, ...others])].map((name) => {
    const enabled = set[name];
    if (enabled !== undefined) return [name, { enabled, source: "SOURCE_INSTANCE" }] as const;
    return [name, system[name] ? { enabled: true, source: "SOURCE_SYSTEM" } : { enabled: false }] as const;
  });
  const details = level === "instance" ? { details: await findDetails(ctx, "instance", id) } : {};
  return { ...details, ...(Object.fromEntries(flags) as Record<string, FeatureFlag>) } as Features;
}

/** Sets the given features; omitted ones, and null, keep their values. */
export async function putFeatures(
  ctx: OriginContext,
  level: FeatureLevel,
  given: Readonly<Record<string, boolean | null | undefined>>,
): Promise<Details | ApiError> {
  const wanted = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (typeof value === "boolean" ? [[name, value]] : [])),
  );
  return inheriting(level) ?? setFeatures(ctx, wanted);
}

/** Makes the level inherit every feature again. */
export async function deleteFeatures(ctx: OriginContext, level: FeatureLevel): Promise<Details | ApiError> {
  return inheriting(level) ?? resetFeatures(ctx);
}

function inheriting(level: FeatureLevel): ApiError | undefined {
  if (level === "instance") return undefined;
  return failedPrecondition(
    "feature.inherited",
    "Features are set on the instance and inherited here. Change them there.",
  );
}
