/** A service with signing keys and no other data. */
import type { Context } from "../context";
import { ensureInstance } from "../directory/instance";
import { ensureSigningKeys } from "../keys/signing-keys";
import { bareContext } from "./bare-context";
import type { DatabaseKind } from "./database";

/** Ensures the keys as a start does. */
export const ensureKeys = async (ctx: Context) => ensureSigningKeys(ctx, (await ensureInstance(ctx)).id);

export async function contextWithKeys(kind: DatabaseKind) {
  const ctx = await bareContext(kind);
  await ensureKeys(ctx);
  return ctx;
}
