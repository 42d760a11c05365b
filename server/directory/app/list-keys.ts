/** Lists the keys that were added to an app individually. */
import type { Context } from "../../context";
import { type ApiError, notFound } from "../../protocol/api-error";
import { countAppKeys, findApp, findAppKey, keysOfApp, listAppKeys, type ShownKey } from "../../storage/app/list";
import { type PagedList, pagedList } from "../listing";
import { type AppRef, noSuchApp } from "./change";

export type ListedKey = ShownKey;

/** Lists the keys of an app, oldest first. */
export async function listKeysOfApp(ctx: Context, ref: AppRef): Promise<PagedList<ListedKey> | ApiError> {
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  const where = keysOfApp(app.id);
  return pagedList(ctx, { cursor: ["number", "string"], where, list: listAppKeys, count: countAppKeys });
}

export async function readKeyOfApp(ctx: Context, ref: AppRef, keyId: string): Promise<ListedKey | ApiError> {
  const app = await findApp(ctx.db, ref);
  if (!app) return noSuchApp();
  return (await findAppKey(ctx.db, app.id, keyId)) ?? noSuchKey();
}

export const noSuchKey = () => notFound("app.key_not_found", "The app has no such key.");
