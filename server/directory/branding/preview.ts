/** A look that is being tried out, or is not even saved. */
import type { Context } from "../../context";
import { findOrganizationName } from "../../storage/recipients";
import { type LabelSettings, PICTURES, resolvePolicy } from "../policy/settings";
import { type Brand, type BrandWarning, brandOf } from "./branding";
import type { LabelColours } from "./label";
import { ownWarnings, readLook } from "./read";

export interface BrandPreview {
  brand: Brand;
  /** About the colours that are tried out. */
  warnings: BrandWarning[];
  /** Of the organization; undefined for the instance. */
  organizationName: string | undefined;
}

/**
 * The brand with these colours, and with the pictures that are being tried out. What the colours leave out is inherited
 * from above; without any colours, the draft is shown as it is saved.
 * @param organizationId undefined: the instance's
 */
export async function previewBrand(
  ctx: Context,
  organizationId: string | undefined,
  colours: Partial<LabelColours>,
): Promise<BrandPreview> {
  const { above, own } = await readLook(ctx, "labelPreview", organizationId);
  const stored: Partial<LabelSettings> = own ?? {};
  const pictures = Object.fromEntries(
    PICTURES.filter((name) => stored[name] !== undefined).map((name) => [name, stored[name]]),
  );
  const isAsSaved = Object.keys(colours).length === 0;
  const tried = isAsSaved ? stored : { ...colours, ...pictures };
  const settings = resolvePolicy("label", [...above, tried]);
  return {
    brand: brandOf(settings),
    warnings: ownWarnings(settings, tried),
    organizationName: organizationId === undefined ? undefined : await findOrganizationName(ctx.db, organizationId),
  };
}
