/**
 * Providers of messages, for any channel. Each owner, the service or an organization, may have several providers of a
 * channel, one of which is active. An organization without an active one uses the service's. A provider's address and
 * credentials are sealed in its row, kept out of events and never shown again.
 */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { ProviderRow, ProviderTable } from "../../storage/provider/provider-table";
import { createCache } from "../cache";
import { findInstance } from "../instance";

/** The owner of providers. */
export interface ProviderOwner {
  level: "instance" | "organization";
  /** The organization's id, or the instance's. */
  ownerId: string;
}

export const ofOrganization = (ownerId: string): ProviderOwner => ({ level: "organization", ownerId });

export async function ofInstance(ctx: Context): Promise<ProviderOwner> {
  return { level: "instance", ownerId: (await findInstance(ctx)).id };
}

/** The properties in which the providers of different channels differ. */
export interface ProviderChannel<Row extends ProviderRow = ProviderRow> {
  /** The channel's name in its events. */
  name: "email" | "sms";
  rows: ProviderTable<Row>;
  /** Returns the error if there is no such provider. */
  noProvider(): ApiError;
  /**
   * Returns the error if there are too many.
   * @param most how many an owner may have
   */
  tooMany(most: number): ApiError;
}

/** Returns the common fields of all events about a provider. */
export function aboutProvider<
  Name extends ProviderChannel["name"],
  Does extends "added" | "changed" | "activated" | "deactivated" | "removed",
>({ name }: { name: Name }, { level, ownerId }: ProviderOwner, does: Does, origin: Origin) {
  const type = `${level}.${name}_provider.${does}` as const;
  return { type, aggregateId: ownerId, resourceOwner: ownerId, origin };
}

/**
 * Returns a function that finds an owner's active provider, opened. It returns undefined if no provider is active,
 * or if the key that sealed it is lost. Absence is also cached: most organizations have no provider, and every
 * message looks for one.
 */
export function activeProviders<Row extends ProviderRow, Opened>(
  { name, rows }: ProviderChannel<Row>,
  open: (ctx: Context, row: Row) => Opened | undefined,
): (ctx: Context, ownerId: string) => Promise<Opened | undefined> {
  const cache = createCache<{ opened: Opened | null }>(`${name}Providers`, (ownerId) => [ownerId]);
  return async (ctx, ownerId) => {
    const found = await cache.get(ctx, ownerId, async () => {
      const row = await rows.findActive(ctx.db, ownerId);
      return { opened: (row && open(ctx, row)) ?? null };
    });
    return found?.opened ?? undefined;
  };
}
