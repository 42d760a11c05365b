/** Lists the providers of an owner for administrators. */
import type { Context } from "../../context";
import type { ApiError } from "../../protocol/api-error";
import type { ProviderOwner } from "../provider/channel";
import { emailChannel, type ProviderShown, type ServerShown, showProvider } from "./provider";

const { rows, noProvider } = emailChannel;

/** Returns all providers, oldest first. There are never more than one page of them. */
export async function listProviders(ctx: Context, { ownerId }: ProviderOwner): Promise<ProviderShown[]> {
  return (await rows.list(ctx.db, ownerId)).map((row) => showProvider(ctx, row));
}

/**
 * Returns one provider.
 * @param id undefined for the active one
 */
export async function readProvider(
  ctx: Context,
  { ownerId }: ProviderOwner,
  id?: string,
): Promise<ProviderShown | ApiError> {
  const row = id === undefined ? await rows.findActive(ctx.db, ownerId) : await rows.find(ctx.db, ownerId, id);
  return row ? showProvider(ctx, row) : noProvider();
}

const isServer = (shown: ProviderShown): shown is ServerShown => shown.kind === "smtp";

/** Returns only the mail servers. */
export async function listServers(ctx: Context, owner: ProviderOwner): Promise<ServerShown[]> {
  return (await listProviders(ctx, owner)).filter(isServer);
}

/**
 * Returns one mail server.
 * @param id undefined for the active one
 */
export async function readServer(ctx: Context, owner: ProviderOwner, id?: string): Promise<ServerShown | ApiError> {
  const shown = await readProvider(ctx, owner, id);
  return "kind" in shown && !isServer(shown) ? noProvider() : shown;
}
