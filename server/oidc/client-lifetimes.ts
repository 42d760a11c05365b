/** Token lifetimes of a client: its own setting, else that of the service, within the operator's maximum. */
import type { Context } from "../context";
import { findLifetimes } from "../directory/effective-lifetimes";
import type { Client } from "../protocol/client";
import { type ClientLifetimes, lifetimesOf } from "../protocol/token-expiry";

/** Returns the lifetimes that apply now, in milliseconds. */
export async function lifetimesFor(ctx: Context, client: Pick<Client, "lifetimes">): Promise<ClientLifetimes> {
  return lifetimesOf(client, await findLifetimes(ctx));
}
