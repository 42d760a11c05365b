/** A look that is being tried out, or is not even saved. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { findOrganizationName } from "../../storage/organizations";
import { type LabelSettings, PICTURES, resolvePolicy } from "../policy/settings";
import { type Brand, type BrandWarning, brandOf } from "./branding";
import { type ContrastVerdict, contrastsOf } from "./contrast";
import { refusedPicture } from "./draft";
import type { LabelColours } from "./label";
import { type PictureFacts, readPicture } from "./picture";
import { ownWarnings, readLook } from "./read";

export interface PreviewedBrand {
  brand: Brand;
  /** About the colours that are tried out. */
  warnings: BrandWarning[];
  contrasts: ContrastVerdict[];
  /** Of the organization; undefined for the instance. */
  organizationName: string | undefined;
}

/** A logo that is not saved: in light and dark mode it is the one that is shown. */
export interface TriedLogo {
  /** As it is written in the document: a `data:` address. */
  address: string;
  facts: PictureFacts;
}

/** Names a logo that is not stored: no digest, so no stored picture is called so. */
export const TRIED_LOGO = "tried";

export function readTriedLogo(content: Uint8Array): TriedLogo | ApiError {
  const facts = readPicture(content);
  if (!facts) return refusedPicture("no picture", "logo");
  return { address: `data:${facts.contentType};base64,${Buffer.from(content).toString("base64")}`, facts };
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
  logo?: TriedLogo,
): Promise<PreviewedBrand> {
  const { above, own } = await readLook(ctx, "labelPreview", organizationId);
  const stored: Partial<LabelSettings> = own ?? {};
  const pictures = Object.fromEntries(
    PICTURES.filter((name) => stored[name] !== undefined).map((name) => [name, stored[name]]),
  );
  const isAsSaved = Object.keys(colours).length === 0;
  const tried = isAsSaved ? stored : { ...colours, ...pictures };
  const shownLogo = logo && {
    logo: { digest: TRIED_LOGO, width: logo.facts.width, height: logo.facts.height },
    logoDark: null,
  };
  const settings = resolvePolicy("label", [...above, { ...tried, ...shownLogo }]);
  return {
    brand: brandOf(settings),
    warnings: ownWarnings(settings, tried),
    contrasts: contrastsOf(settings),
    organizationName: organizationId === undefined ? undefined : await findOrganizationName(ctx.db, organizationId),
  };
}
