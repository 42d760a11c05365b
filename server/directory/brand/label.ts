/**
 * The look of a level as its administrators change it: tried out first, then shown to people. Pictures are kept beside
 * the settings that name them, under the digest of their content.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import type { Details, Origin } from "../../events/record";
import { deleteOldAssets, writeAsset } from "../../storage/assets";
import type { Transaction } from "../../storage/database";
import { readPolicy } from "../../storage/policies";
import { removePolicy, setPolicy } from "../policy/policies";
import { type LabelSettings, PICTURES, type PictureName } from "../policy/settings";
import { readPicture } from "./picture";

/** Bytes. */
export const LARGEST_PICTURE = 512 * 1024;
/** Pixels a side; what is larger was not made for a page. */
const LONGEST_SIDE = 4096;
/** Pictures that are not in use any more and still kept: mails sent before name them. */
const KEPT_PICTURES = 20;

/** The settings without the pictures, which are set one by one. */
export type LabelColours = Omit<LabelSettings, PictureName>;

type Own = Partial<LabelSettings>;

/** What the level tries out; what it shows where it tries nothing out; undefined where it has no look of its own. */
async function readDraft(tx: Transaction, ownerId: string): Promise<Own | undefined> {
  return ((await readPolicy(tx, ownerId, "labelPreview")) ?? (await readPolicy(tx, ownerId, "label"))) as
    | Own
    | undefined;
}

/** Whether the level has a look of its own, shown or tried out. */
export async function hasLabel(tx: Transaction, ownerId: string): Promise<boolean> {
  return (await readDraft(tx, ownerId)) !== undefined;
}

/** Replaces the colours and switches that are tried out; pictures stay. */
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

/** Shows people what was tried out. Undefined where nothing was. */
export async function activateLabel(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  origin: Origin,
): Promise<Details | undefined> {
  const draft = (await readPolicy(tx, ownerId, "labelPreview")) as Own | undefined;
  return draft && setPolicy(ctx, tx, ownerId, "label", draft, origin);
}

/** From now on the look of the level above. */
export async function removeLabel(ctx: Context, tx: Transaction, ownerId: string, origin: Origin): Promise<Details> {
  await removePolicy(ctx, tx, ownerId, "labelPreview", origin);
  return removePolicy(ctx, tx, ownerId, "label", origin);
}

export type PictureRefusal = "too large" | "no picture" | "too many pixels";

/** Tries out a picture. */
export async function setPicture(
  ctx: Context,
  tx: Transaction,
  owner: { id: string; picture: PictureName },
  content: Uint8Array<ArrayBuffer>,
  origin: Origin,
): Promise<Details | PictureRefusal> {
  if (content.byteLength > LARGEST_PICTURE) return "too large";
  const facts = readPicture(content);
  if (!facts) return "no picture";
  const { contentType, width, height } = facts;
  if (Math.max(width, height) > LONGEST_SIDE) return "too many pixels";
  const named = { digest: digest(content), width, height };
  const draft = { ...(await readDraft(tx, owner.id)), [owner.picture]: named };
  await writeAsset(tx, { digest: named.digest, ownerId: owner.id, contentType, content }, ctx.clock());
  const details = await setPolicy(ctx, tx, owner.id, "labelPreview", draft, origin);
  await deleteOldAssets(tx, owner.id, { newest: KEPT_PICTURES, inUse: await digestsInUse(tx, owner.id) });
  return details;
}

/** Tries out the look without a picture. Undefined where there was none. */
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
