/**
 * How messages leave, by whatever channel: each owner, the service and every organization, may have several providers of
 * a channel, of which one is active. An organization without an active one sends as the service does. What a provider is
 * spoken to with stands in its row sealed, is kept out of events and never shown again.
 */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { ProviderRow, ProviderTable } from "../../storage/providers";
import { createCache } from "../cache";
import { findInstance } from "../instance";

/** Whose providers are meant. */
export interface ProviderOwner {
  level: "instance" | "organization";
  /** The organization's id, or the instance's. */
  ownerId: string;
}

export const ofOrganization = (ownerId: string): ProviderOwner => ({ level: "organization", ownerId });

export async function ofInstance(ctx: Context): Promise<ProviderOwner> {
  return { level: "instance", ownerId: (await findInstance(ctx)).id };
}

/** What tells the providers of one channel from those of another. */
export interface ProviderChannel<Row extends ProviderRow = ProviderRow> {
  /** As in the names of its events. */
  name: "email" | "sms";
  rows: ProviderTable<Row>;
  /** The refusal where there is none. */
  noProvider(): ApiError;
  /** The refusal of more. @param most how many an owner may have */
  tooMany(most: number): ApiError;
}

/** What every event about a provider has in common. */
export function aboutProvider<
  Name extends ProviderChannel["name"],
  Does extends "added" | "changed" | "activated" | "deactivated" | "removed",
>({ name }: { name: Name }, { level, ownerId }: ProviderOwner, does: Does, origin: Origin) {
  const type = `${level}.${name}_provider.${does}` as const;
  return { type, aggregateId: ownerId, resourceOwner: ownerId, origin };
}

/**
 * Finds an owner's active provider, opened; undefined if there is none, or if the key that sealed it is gone. Absence is
 * cached, too: most organizations have no provider, and every message looks.
 */
export function activeProviders<Row extends ProviderRow, Opened>(
  { rows }: ProviderChannel<Row>,
  open: (ctx: Context, row: Row) => Opened | undefined,
): (ctx: Context, ownerId: string) => Promise<Opened | undefined> {
  const cache = createCache<{ opened: Opened | null }>();
  return async (ctx, ownerId) => {
    const found = await cache.get(ctx, ownerId, async () => {
      const row = await rows.findActive(ctx.db, ownerId);
      return { opened: (row && open(ctx, row)) ?? null };
    });
    return found?.opened ?? undefined;
  };
}
