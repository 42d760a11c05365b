/**
 * Changes the look of a level: first a draft, then the active look. Pictures are stored separately from the settings
 * that refer to them, under the digest of their content.
 */
import { digest } from "../../crypto/digest";
import type { ChangeContext, Details } from "../../events/record";
import { deleteOldAssets, writeAsset } from "../../storage/branding/assets";
import type { Transaction } from "../../storage/database";
import { readPolicy } from "../../storage/policy/policy";
import { removePolicy, setPolicy } from "../policy/policies";
import { type LabelSettings, PICTURES, type PictureName } from "../policy/settings";
import { readPicture } from "./picture";

/** Bytes. */
export const MAX_PICTURE_BYTES = 512 * 1024;
/** Pixels per side; larger pictures are not made for web pages. */
const MAX_SIDE_PIXELS = 4096;
/** The number of unused pictures that are kept, because earlier mails refer to them. */
const KEPT_PICTURES = 20;

/** The settings without the pictures, which are set individually. */
export type LabelColours = Omit<LabelSettings, PictureName>;

type Own = Partial<LabelSettings>;

/** Returns the level's draft, otherwise its active look; undefined if it has no look of its own. */
async function readDraft(tx: Transaction, ownerId: string): Promise<Own | undefined> {
  return ((await readPolicy(tx, ownerId, "labelPreview")) ?? (await readPolicy(tx, ownerId, "label"))) as
    | Own
    | undefined;
}

/** Returns whether the level has a look of its own, active or as a draft. */
export async function hasLabel(tx: Transaction, ownerId: string): Promise<boolean> {
  return (await readDraft(tx, ownerId)) !== undefined;
}

/** Replaces the draft's colours and switches; pictures are kept. */
export async function draftLabel(
  ctx: ChangeContext,
  ownerId: string,
  colours: Partial<LabelColours>,
): Promise<Details> {
  const stored = (await readDraft(ctx.tx, ownerId)) ?? {};
  const pictures = PICTURES.filter((name) => stored[name] !== undefined).map((name) => [name, stored[name]]);
  return setPolicy(ctx, ownerId, "labelPreview", { ...colours, ...Object.fromEntries(pictures) });
}

/** Activates the draft. Returns undefined if there is no draft. */
export async function activateLabel(ctx: ChangeContext, ownerId: string): Promise<Details | undefined> {
  const draft = (await readPolicy(ctx.tx, ownerId, "labelPreview")) as Own | undefined;
  return draft && setPolicy(ctx, ownerId, "label", draft);
}

/** Removes the level's look, so that it inherits the one above. */
export async function removeLabel(ctx: ChangeContext, ownerId: string): Promise<Details> {
  await removePolicy(ctx, ownerId, "labelPreview");
  return removePolicy(ctx, ownerId, "label");
}

export type PictureRefusal = "too large" | "no picture" | "too many pixels";

/** Adds a picture to the draft. */
export async function setPicture(
  ctx: ChangeContext,
  owner: { id: string; picture: PictureName },
  content: Uint8Array<ArrayBuffer>,
): Promise<Details | PictureRefusal> {
  if (content.byteLength > MAX_PICTURE_BYTES) return "too large";
  const facts = readPicture(content);
  if (!facts) return "no picture";
  const { contentType, width, height } = facts;
  if (Math.max(width, height) > MAX_SIDE_PIXELS) return "too many pixels";
  const named = { digest: digest(content), width, height };
  const draft = { ...(await readDraft(ctx.tx, owner.id)), [owner.picture]: named };
  await writeAsset(ctx.tx, { digest: named.digest, ownerId: owner.id, contentType, content }, ctx.clock());
  const details = await setPolicy(ctx, owner.id, "labelPreview", draft);
  await deleteOldAssets(ctx.tx, owner.id, { newest: KEPT_PICTURES, inUse: await digestsInUse(ctx.tx, owner.id) });
  return details;
}

/** Removes a picture from the draft. Returns undefined if the draft has no such picture. */
export async function removePicture(
  ctx: ChangeContext,
  owner: { id: string; picture: PictureName },
): Promise<Details | undefined> {
  const draft = await readDraft(ctx.tx, owner.id);
  if (!draft?.[owner.picture]) return undefined;
  const { [owner.picture]: _, ...rest } = draft;
  return setPolicy(ctx, owner.id, "labelPreview", rest);
}

async function digestsInUse(tx: Transaction, ownerId: string): Promise<string[]> {
  const looks = await Promise.all(["label", "labelPreview"].map((kind) => readPolicy(tx, ownerId, kind)));
  return looks.flatMap((look) => PICTURES.flatMap((name) => (look as Own | undefined)?.[name]?.digest ?? []));
}
