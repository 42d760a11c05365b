/**
 * Changes the look of a level: first a draft, then the active look. Pictures are stored separately from the settings
 * that refer to them, under the digest of their content.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import type { Details, Origin } from "../../events/record";
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
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  colours: Partial<LabelColours>,
  origin: Origin,
): Promise<Details> {
  const stored = (await readDraft(tx, ownerId)) ?? {};
  const pictures = PICTURES.filter((name) => stored[name] !== undefined).map((name) => [name, stored[name]]);
  return setPolicy(ctx, tx, ownerId, "labelPreview", { ...colours, ...Object.fromEntries(pictures) }, origin);
}

/** Activates the draft. Returns undefined if there is no draft. */
export async function activateLabel(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  origin: Origin,
): Promise<Details | undefined> {
  const draft = (await readPolicy(tx, ownerId, "labelPreview")) as Own | undefined;
  return draft && setPolicy(ctx, tx, ownerId, "label", draft, origin);
}

/** Removes the level's look, so that it inherits the one above. */
export async function removeLabel(ctx: Context, tx: Transaction, ownerId: string, origin: Origin): Promise<Details> {
  await removePolicy(ctx, tx, ownerId, "labelPreview", origin);
  return removePolicy(ctx, tx, ownerId, "label", origin);
}

export type PictureRefusal = "too large" | "no picture" | "too many pixels";

/** Adds a picture to the draft. */
export async function setPicture(
  ctx: Context,
  tx: Transaction,
  owner: { id: string; picture: PictureName },
  content: Uint8Array<ArrayBuffer>,
  origin: Origin,
): Promise<Details | PictureRefusal> {
  if (content.byteLength > MAX_PICTURE_BYTES) return "too large";
  const facts = readPicture(content);
  if (!facts) return "no picture";
  const { contentType, width, height } = facts;
  if (Math.max(width, height) > MAX_SIDE_PIXELS) return "too many pixels";
  const named = { digest: digest(content), width, height };
  const draft = { ...(await readDraft(tx, owner.id)), [owner.picture]: named };
  await writeAsset(tx, { digest: named.digest, ownerId: owner.id, contentType, content }, ctx.clock());
  const details = await setPolicy(ctx, tx, owner.id, "labelPreview", draft, origin);
  await deleteOldAssets(tx, owner.id, { newest: KEPT_PICTURES, inUse: await digestsInUse(tx, owner.id) });
  return details;
}

/** Removes a picture from the draft. Returns undefined if the draft has no such picture. */
export async function removePicture(
  ctx: Context,
  tx: Transaction,
  owner: { id: string; picture: PictureName },
  origin: Origin,
): Promise<Details | undefined> {
  const draft = await readDraft(tx, owner.id);
  if (!draft?.[owner.picture]) return undefined;
  const { [owner.picture]: _, ...rest } = draft;
  return setPolicy(ctx, tx, owner.id, "labelPreview", rest, origin);
}

async function digestsInUse(tx: Transaction, ownerId: string): Promise<string[]> {
  const looks = await Promise.all(["label", "labelPreview"].map((kind) => readPolicy(tx, ownerId, kind)));
  return looks.flatMap((look) => PICTURES.flatMap((name) => (look as Own | undefined)?.[name]?.digest ?? []));
}
