/** Activates, deactivates and removes providers. An owner has one active provider at a time. */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn, UNCHANGED } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { changeDirectory } from "../change";
import { aboutProvider, checkPrivilegeOverMessages, type ProvidersOf } from "./channel";

type Args = [of: ProvidersOf, id: string, origin: Origin];

/** Does a step in a transaction if the provider exists. */
const ifStored =
  (step: (ctx: Context, tx: Transaction, ...args: Args) => Promise<Details>) =>
  (ctx: Context, ...args: Args): Promise<Details | ApiError> =>
    changeDirectory(ctx, async (tx) => {
      const [{ channel, owner }, id] = args;
      return (await channel.rows.read(tx, owner.ownerId, id)) ? step(ctx, tx, ...args) : channel.noProvider();
    });

export async function activateProvider(ctx: Context, ...args: Args): Promise<Details | ApiError> {
  const [{ owner }, , { actor }] = args;
  return (await checkPrivilegeOverMessages(ctx, actor, owner)) ?? ifStored(activateProviderIn)(ctx, ...args);
}

/**
 * Activates a provider and deactivates the previous one; changes and records nothing if it is active already. The
 * caller has checked the permissions.
 */
export async function activateProviderIn(ctx: Context, tx: Transaction, ...args: Args): Promise<Details> {
  const [of, id, origin] = args;
  const { channel, owner } = of;
  const before = await channel.rows.readActive(tx, owner.ownerId);
  if (before && before.id !== id) await deactivateIn(ctx, tx, of, before.id, origin);
  return recordIn(ctx, tx, {
    ...aboutProvider(of, "activated", origin),
    async state(_, now) {
      if (before?.id === id) return UNCHANGED;
      await channel.rows.update(tx, id, { activeFor: owner.ownerId }, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Deactivates a provider. Messages are then sent as without one. */
export const deactivateProvider = ifStored(deactivateIn);

function deactivateIn(ctx: Context, tx: Transaction, ...[of, id, origin]: Args): Promise<Details> {
  const { channel, owner } = of;
  return recordIn(ctx, tx, {
    ...aboutProvider(of, "deactivated", origin),
    async state(_, now) {
      if ((await channel.rows.readActive(tx, owner.ownerId))?.id !== id) return UNCHANGED;
      await channel.rows.update(tx, id, { activeFor: null }, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Removes a provider and its secret. An active one may also be removed, as an emergency may require. */
export const removeProvider = ifStored(removeProviderIn);

export function removeProviderIn(ctx: Context, tx: Transaction, ...[of, id, origin]: Args): Promise<Details> {
  return recordIn(ctx, tx, {
    ...aboutProvider(of, "removed", origin),
    async state() {
      await of.channel.rows.remove(tx, id);
      return { payload: { providerId: id } };
    },
  });
}
