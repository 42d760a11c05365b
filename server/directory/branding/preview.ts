/** Previews a look that is a draft or is not saved at all. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import { findOrganizationName } from "../../storage/organization/organization";
import { resolvePolicy } from "../policy/resolve-policy";
import { type LabelSettings, PICTURES } from "../policy/settings";
import { type Brand, type BrandWarning, brandOf } from "./branding";
import { type ContrastVerdict, contrastsOf } from "./contrast";
import { refusedPicture } from "./draft";
import type { LabelColours } from "./label";
import { type PictureFacts, readPicture } from "./picture";
import { ownWarnings, readLook } from "./read";

export interface PreviewedBrand {
  brand: Brand;
  /** Warnings about the previewed colours. */
  warnings: BrandWarning[];
  contrasts: ContrastVerdict[];
  /** The organization's name; undefined for the instance. */
  organizationName: string | undefined;
}

/** A logo that is not saved; it is shown in both light and dark mode. */
export interface TriedLogo {
  /** The `data:` URL that the document contains. */
  address: string;
  facts: PictureFacts;
}

/** Identifies a logo that is not stored. It is not a digest, so it cannot collide with a stored picture. */
export const TRIED_LOGO = "tried";

export function readTriedLogo(content: Uint8Array): TriedLogo | ApiError {
  const facts = readPicture(content);
  if (!facts) return refusedPicture("no picture", "logo");
  return { address: `data:${facts.contentType};base64,${Buffer.from(content).toString("base64")}`, facts };
}

/**
 * Returns the brand with these colours and the pictures of the draft. Omitted colours are inherited from above; without
 * any colours, the saved draft is used.
 * @param organizationId undefined for the instance
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
