/** Trying a look out: its colours and pictures, which people see only once it is published. */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { type ApiError, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import type { RefusalId } from "../../protocol/refusals";
import { changeDirectory } from "../change";
import { alreadySet, notSet } from "../policy/set";
import type { PictureName } from "../policy/settings";
import type { BrandWarning } from "./branding";
import {
  draftLabel,
  hasLabel,
  type LabelColours,
  MAX_PICTURE_BYTES,
  type PictureRefusal,
  removePicture,
  setPicture,
} from "./label";
import { ownerOfLook, readShownLook } from "./read";

export interface DraftedColours {
  /** Undefined: the instance's. */
  organizationId: string | undefined;
  /** Replaces those that are tried out; what is left out is inherited. Pictures stay. */
  colours: Partial<LabelColours>;
  /** Whether the level must have a look of its own already, or must have none; undefined if either will do. */
  expects?: "some" | "none";
}

export async function draftColours(
  ctx: Context,
  { organizationId, colours, expects }: DraftedColours,
  origin: Origin,
): Promise<{ details: Details; warnings: BrandWarning[] } | ApiError> {
  const ownerId = await ownerOfLook(ctx, organizationId);
  const details = await changeDirectory(ctx, async (tx) => {
    const exists = expects !== undefined && (await hasLabel(tx, ownerId));
    if (expects === "some" && !exists) return notSet();
    if (expects === "none" && exists) return alreadySet();
    return draftLabel(ctx, tx, ownerId, colours, origin);
  });
  if (isApiError(details)) return details;
  const { warnings } = await readShownLook(ctx, "labelPreview", organizationId);
  return { details, warnings };
}

/** A picture of the look of an organization, or of the instance (undefined). */
export interface PictureOf {
  organizationId: string | undefined;
  picture: PictureName;
}

const IDS = {
  "no picture": "picture.no_picture",
  "too large": "picture.too_large",
  "too many pixels": "picture.too_many_pixels",
} as const satisfies Readonly<Record<PictureRefusal, RefusalId>>;
const REFUSALS: Readonly<Record<PictureRefusal, string>> = {
  "too large": `A picture may have ${MAX_PICTURE_BYTES / 1024} kB at most.`,
  "no picture": "This is no PNG, JPEG or WebP picture. SVG is not taken: it can carry script.",
  "too many pixels": "A picture may have 4096 pixels a side at most.",
};

/** @param field of the request */
export function refusedPicture(why: PictureRefusal, field: string): ApiError {
  return invalidArgument(IDS[why], REFUSALS[why], { field });
}

export async function draftPicture(
  ctx: Context,
  { organizationId, picture }: PictureOf,
  content: Uint8Array<ArrayBuffer>,
  origin: Origin,
): Promise<Details | ApiError> {
  const id = await ownerOfLook(ctx, organizationId);
  return changeDirectory(ctx, async (tx) => {
    const outcome = await setPicture(ctx, tx, { id, picture }, content, origin);
    if (typeof outcome !== "string") return outcome;
    return refusedPicture(outcome, "content");
  });
}

/** @param what how the picture is called in the refusal */
export async function removeDraftPicture(
  ctx: Context,
  { organizationId, picture, what }: PictureOf & { what: string },
  origin: Origin,
): Promise<Details | ApiError> {
  const id = await ownerOfLook(ctx, organizationId);
  return changeDirectory(ctx, async (tx) => {
    const outcome = await removePicture(ctx, tx, { id, picture }, origin);
    return outcome ?? notFound("picture.not_found", `There is no ${what} here.`);
  });
}
