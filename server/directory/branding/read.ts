/** Reads the look of a level for administrators: the active look, or the draft. */
import type { Context } from "../../context";
import type { Details } from "../../events/record";
import { findInstance } from "../instance";
import { readPolicyLevels } from "../policy/policies";
import { policyDetails } from "../policy/read";
import { resolvePolicy } from "../policy/resolve-policy";
import type { LabelSettings } from "../policy/settings";
import { type BrandWarning, warningsOf } from "./branding";

export type LookKind = "label" | "labelPreview";

export interface LookOfLevel {
  /** The effective settings of the level. */
  settings: LabelSettings;
  /** The settings of the levels above, from the instance downwards. */
  above: (Record<string, unknown> | undefined)[];
  /** The settings of the level itself; undefined if it has none. */
  own: Record<string, unknown> | undefined;
  /** Whether it is the instance's look. */
  isDefault: boolean;
}

/**
 * Reads the look of a level.
 * @param organizationId undefined for the instance
 */
export async function readLook(ctx: Context, kind: LookKind, organizationId: string | undefined): Promise<LookOfLevel> {
  const active = await readPolicyLevels(ctx, "label", organizationId);
  const draft = kind === "label" ? active : await readPolicyLevels(ctx, "labelPreview", organizationId);
  // An organization inherits the instance's active look, not its draft.
  const levels =
    organizationId === undefined
      ? [draft.instance ?? active.instance]
      : [active.instance, draft.organization ?? active.organization];
  const own = levels.at(-1);
  const settings = resolvePolicy("label", levels);
  return { settings, above: levels.slice(0, -1), own, isDefault: organizationId === undefined || own === undefined };
}

export interface ShownLook {
  settings: LabelSettings;
  isDefault: boolean;
  details: Details;
  /** Warnings about the colours that the level itself sets. */
  warnings: BrandWarning[];
}

/** Reads the look of a level with its details and warnings. */
export async function readShownLook(
  ctx: Context,
  kind: LookKind,
  organizationId: string | undefined,
): Promise<ShownLook> {
  const { settings, own, isDefault } = await readLook(ctx, kind, organizationId);
  const details = await policyDetails(ctx, kind, isDefault ? undefined : organizationId);
  return { settings, isDefault, details, warnings: ownWarnings(settings, own) };
}

/** Returns the warnings about colours that the level itself sets. */
export function ownWarnings(settings: LabelSettings, own: Record<string, unknown> = {}): BrandWarning[] {
  return warningsOf(settings).filter(({ field }) => {
    const background = field.endsWith("Dark") ? "backgroundColorDark" : "backgroundColor";
    return own[field] !== undefined || own[background] !== undefined;
  });
}

/**
 * Returns the id of the level that owns the look.
 * @param organizationId undefined for the instance
 */
export async function ownerOfLook(ctx: Context, organizationId: string | undefined): Promise<string> {
  return organizationId ?? (await findInstance(ctx)).id;
}
