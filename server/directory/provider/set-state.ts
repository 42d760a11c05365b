/** Activates, deactivates and removes providers. An owner has one active provider at a time. */
import { type ChangeContext, type Details, type OriginContext, recordIn, UNCHANGED } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { changeDirectory } from "../change";
import { aboutProvider, checkPrivilegeOverMessages, type ProvidersOf } from "./channel";

type Args = [of: ProvidersOf, id: string];

/** Does a step in a transaction if the provider exists. */
const ifStored =
  (step: (ctx: ChangeContext, ...args: Args) => Promise<Details>) =>
  (ctx: OriginContext, ...args: Args): Promise<Details | ApiError> =>
    changeDirectory(ctx, async (ctx) => {
      const [{ channel, owner }, id] = args;
      return (await channel.rows.read(ctx.tx, owner.ownerId, id)) ? step(ctx, ...args) : channel.noProvider();
    });

export async function activateProvider(ctx: OriginContext, ...args: Args): Promise<Details | ApiError> {
  const [{ owner }] = args;
  return (await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner)) ?? ifStored(activateProviderIn)(ctx, ...args);
}

/**
 * Activates a provider and deactivates the previous one; changes and records nothing if it is active already. The
 * caller has checked the permissions.
 */
export async function activateProviderIn(ctx: ChangeContext, ...args: Args): Promise<Details> {
  const [of, id] = args;
  const { channel, owner } = of;
  const before = await channel.rows.readActive(ctx.tx, owner.ownerId);
  if (before && before.id !== id) await deactivateIn(ctx, of, before.id);
  return recordIn(ctx, {
    ...aboutProvider(of, "activated"),
    async state(_, now) {
      if (before?.id === id) return UNCHANGED;
      await channel.rows.update(ctx.tx, id, { activeFor: owner.ownerId }, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Deactivates a provider. Messages are then sent as without one. */
export const deactivateProvider = ifStored(deactivateIn);

function deactivateIn(ctx: ChangeContext, ...[of, id]: Args): Promise<Details> {
  const { channel, owner } = of;
  return recordIn(ctx, {
    ...aboutProvider(of, "deactivated"),
    async state(_, now) {
      if ((await channel.rows.readActive(ctx.tx, owner.ownerId))?.id !== id) return UNCHANGED;
      await channel.rows.update(ctx.tx, id, { activeFor: null }, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Removes a provider and its secret. An active one may also be removed, as an emergency may require. */
export const removeProvider = ifStored(removeProviderIn);

export function removeProviderIn(ctx: ChangeContext, ...[of, id]: Args): Promise<Details> {
  return recordIn(ctx, {
    ...aboutProvider(of, "removed"),
    async state() {
      await of.channel.rows.remove(ctx.tx, id);
      return { payload: { providerId: id } };
    },
  });
}
