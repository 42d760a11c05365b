/** Lists the providers of text messages of an owner for administrators. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import type { ProviderOwner } from "../provider/channel";
import { type SmsProviderShown, showSmsProvider, smsChannel } from "./provider";

const { rows, noProvider } = smsChannel;

/** Returns all providers, oldest first. There are never more than one page of them. */
export async function listSmsProviders(ctx: Context, { ownerId }: ProviderOwner): Promise<SmsProviderShown[]> {
  return (await rows.list(ctx.db, ownerId)).map((row) => showSmsProvider(ctx, row));
}

/**
 * Returns one provider.
 * @param id undefined for the active one
 */
export async function readSmsProvider(
  ctx: Context,
  { ownerId }: ProviderOwner,
  id?: string,
): Promise<SmsProviderShown | ApiError> {
  const row = await (id === undefined ? rows.findActive(ctx.db, ownerId) : rows.find(ctx.db, ownerId, id));
  return row ? showSmsProvider(ctx, row) : noProvider();
}
