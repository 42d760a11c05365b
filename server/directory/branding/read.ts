/** The look of a level as administrators see it: the active one, or the draft that is tried out. */
import type { Context } from "../../context";
import type { Details } from "../../events/record";
import { findInstance } from "../instance";
import { readPolicyLevels } from "../policy/policies";
import { policyDetails } from "../policy/read";
import { type LabelSettings, resolvePolicy } from "../policy/settings";
import { type BrandWarning, warningsOf } from "./branding";

export type LookKind = "label" | "labelPreview";

export interface LookOfLevel {
  /** In force at the level. */
  settings: LabelSettings;
  /** What the levels above say, from the instance downwards. */
  above: (Record<string, unknown> | undefined)[];
  /** What the level itself says; undefined if it says nothing. */
  own: Record<string, unknown> | undefined;
  /** Whether it is the instance's look. */
  isDefault: boolean;
}

/** @param organizationId undefined: the instance's */
export async function readLook(ctx: Context, kind: LookKind, organizationId: string | undefined): Promise<LookOfLevel> {
  const active = await readPolicyLevels(ctx, "label", organizationId);
  const draft = kind === "label" ? active : await readPolicyLevels(ctx, "labelPreview", organizationId);
  // An organization inherits what the instance shows, not what the instance is trying out.
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
  /** About the colours that the level itself sets. */
  warnings: BrandWarning[];
}

/** The same with what administrators are told of it. */
export async function readShownLook(
  ctx: Context,
  kind: LookKind,
  organizationId: string | undefined,
): Promise<ShownLook> {
  const { settings, own, isDefault } = await readLook(ctx, kind, organizationId);
  const details = await policyDetails(ctx, kind, isDefault ? undefined : organizationId);
  return { settings, isDefault, details, warnings: ownWarnings(settings, own) };
}

/** The warnings about colours that the level itself sets. */
export function ownWarnings(settings: LabelSettings, own: Record<string, unknown> = {}): BrandWarning[] {
  return warningsOf(settings).filter(({ field }) => {
    const background = field.endsWith("Dark") ? "backgroundColorDark" : "backgroundColor";
    return own[field] !== undefined || own[background] !== undefined;
  });
}

/** Whose look it is. @param organizationId undefined: the instance's */
export async function ownerOfLook(ctx: Context, organizationId: string | undefined): Promise<string> {
  return organizationId ?? (await findInstance(ctx)).id;
}
