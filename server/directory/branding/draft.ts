/** Drafts of a look: its colours and pictures, which users see only after it is published. */
import type { Details, OriginContext } from "../../events/record";
import { type ApiError, failedPrecondition, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import type { RefusalId } from "../../protocol/refusals";
import { changeDirectory } from "../change";
import { alreadySet, notSet } from "../policy/set";
import type { PictureName } from "../policy/settings";
import type { BrandWarning } from "./branding";
import {
  activateLabel,
  draftLabel,
  hasLabel,
  type LabelColours,
  MAX_PICTURE_BYTES,
  type PictureRefusal,
  removeLabel,
  removePicture,
  setPicture,
} from "./label";
import { ownerOfLook, readShownLook } from "./read";

export interface DraftedColours {
  /** Undefined for the instance. */
  organizationId: string | undefined;
  /** Replaces the colours of the draft; omitted ones are inherited. Pictures are kept. */
  colours: Partial<LabelColours>;
  /** Whether the level must or must not have a look of its own; undefined accepts both. */
  expects?: "some" | "none";
}

export async function draftColours(
  ctx: OriginContext,
  { organizationId, colours, expects }: DraftedColours,
): Promise<{ details: Details; warnings: BrandWarning[] } | ApiError> {
  const ownerId = await ownerOfLook(ctx, organizationId);
  const details = await changeDirectory(ctx, async (ctx) => {
    const exists = expects !== undefined && (await hasLabel(ctx.tx, ownerId));
    if (expects === "some" && !exists) return notSet();
    if (expects === "none" && exists) return alreadySet();
    return draftLabel(ctx, ownerId, colours);
  });
  if (isApiError(details)) return details;
  const { warnings } = await readShownLook(ctx, "labelPreview", organizationId);
  return { details, warnings };
}

/** A picture of the look of an organization, or of the instance if undefined. */
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

/**
 * Returns the error for a rejected picture.
 * @param field the field of the request
 */
export function refusedPicture(why: PictureRefusal, field: string): ApiError {
  return invalidArgument(IDS[why], REFUSALS[why], { field });
}

export async function draftPicture(
  ctx: OriginContext,
  { organizationId, picture }: PictureOf,
  content: Uint8Array<ArrayBuffer>,
): Promise<Details | ApiError> {
  const id = await ownerOfLook(ctx, organizationId);
  return changeDirectory(ctx, async (ctx) => {
    const outcome = await setPicture(ctx, { id, picture }, content);
    if (typeof outcome !== "string") return outcome;
    return refusedPicture(outcome, "content");
  });
}

/**
 * Removes a picture of the draft.
 * @param what the name of the picture in the error
 */
export async function removeDraftPicture(
  ctx: OriginContext,
  { organizationId, picture, what }: PictureOf & { what: string },
): Promise<Details | ApiError> {
  const id = await ownerOfLook(ctx, organizationId);
  return changeDirectory(ctx, async (ctx) => {
    const outcome = await removePicture(ctx, { id, picture });
    return outcome ?? notFound("picture.not_found", `There is no ${what} here.`);
  });
}

/**
 * Activates the draft of a level.
 * @param organizationId undefined for the instance
 */
export async function publishLook(ctx: OriginContext, organizationId: string | undefined): Promise<Details | ApiError> {
  const ownerId = await ownerOfLook(ctx, organizationId);
  return changeDirectory(ctx, async (ctx) => {
    const details = await activateLabel(ctx, ownerId);
    return details ?? failedPrecondition("label.no_preview", "There is no draft here to show. Change something first.");
  });
}

/** Removes an organization's own look, both the active one and the draft. */
export function resetLook(ctx: OriginContext, organizationId: string): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    return (await hasLabel(ctx.tx, organizationId)) ? removeLabel(ctx, organizationId) : notSet();
  });
}
