/** Activates a provider and deactivates the previous one, because an owner has one active provider at a time. */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn, UNCHANGED } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import type { ProviderRow } from "../../storage/provider/provider-table";
import { changeDirectory } from "../change";
import { aboutProvider, type ProviderChannel, type ProviderOwner } from "./channel";
import { checkPrivilegeOverMessages } from "./privilege";

export async function activateProvider<Row extends ProviderRow>(
  ctx: Context,
  channel: ProviderChannel<Row>,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  const refusal = await checkPrivilegeOverMessages(ctx, origin.actor, owner);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await channel.rows.read(tx, owner.ownerId, id);
    return row ? activateProviderIn(ctx, tx, channel, owner, id, origin) : channel.noProvider();
  });
}

/**
 * Activates a provider; changes and records nothing if it is active already. The caller has checked the permissions.
 */
export async function activateProviderIn<Row extends ProviderRow>(
  ctx: Context,
  tx: Transaction,
  channel: ProviderChannel<Row>,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details> {
  const before = await channel.rows.readActive(tx, owner.ownerId);
  if (before && before.id !== id) await deactivateIn(ctx, tx, channel, owner, before.id, origin);
  return recordIn(ctx, tx, {
    ...aboutProvider(channel, owner, "activated", origin),
    async state(_, now) {
      if (before?.id === id) return UNCHANGED;
      await channel.rows.setActive(tx, id, owner.ownerId, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Deactivates a provider. Messages are then sent as without one. */
export function deactivateProvider<Row extends ProviderRow>(
  ctx: Context,
  channel: ProviderChannel<Row>,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    const row = await channel.rows.read(tx, owner.ownerId, id);
    return row ? deactivateIn(ctx, tx, channel, owner, id, origin) : channel.noProvider();
  });
}

function deactivateIn<Row extends ProviderRow>(
  ctx: Context,
  tx: Transaction,
  channel: ProviderChannel<Row>,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
) {
  return recordIn(ctx, tx, {
    ...aboutProvider(channel, owner, "deactivated", origin),
    async state(_, now) {
      if ((await channel.rows.readActive(tx, owner.ownerId))?.id !== id) return UNCHANGED;
      await channel.rows.setActive(tx, id, null, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Removes a provider and its secret. An active one may also be removed, as an emergency may require. */
export function removeProvider<Row extends ProviderRow>(
  ctx: Context,
  channel: ProviderChannel<Row>,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    const row = await channel.rows.read(tx, owner.ownerId, id);
    return row ? removeProviderIn(ctx, tx, channel, owner, id, origin) : channel.noProvider();
  });
}

export function removeProviderIn<Row extends ProviderRow>(
  ctx: Context,
  tx: Transaction,
  channel: ProviderChannel<Row>,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details> {
  return recordIn(ctx, tx, {
    ...aboutProvider(channel, owner, "removed", origin),
    async state() {
      await channel.rows.remove(tx, id);
      return { payload: { providerId: id } };
    },
  });
}
