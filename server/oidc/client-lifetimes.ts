/** How long a client's tokens last: as it says itself, else as the service does, within the operator's maximum. */
import type { Context } from "../context";
import { findLifetimes } from "../directory/lifetimes";
import type { Client } from "../protocol/client";
import { type ClientLifetimes, lifetimesOf } from "../protocol/token-lifetime";

/** Milliseconds, as in force now. */
export async function lifetimesFor(ctx: Context, client: Pick<Client, "lifetimes">): Promise<ClientLifetimes> {
  return lifetimesOf(client, await findLifetimes(ctx));
}
