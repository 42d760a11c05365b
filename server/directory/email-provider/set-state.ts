/** Which provider sends: activating one deactivates the one before, as an owner has one at a time. */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn, UNCHANGED } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import {
  deleteEmailProvider,
  readActiveEmailProvider,
  readEmailProvider,
  updateEmailProvider,
} from "../../storage/email-providers";
import { changeDirectory } from "../change";
import { checkPowerOverMail } from "./power";
import { aboutProvider, noProvider, type ProviderOwner } from "./provider";

export async function activateProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  const refusal = await checkPowerOverMail(ctx, origin.actor, owner);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    const row = await readEmailProvider(tx, owner.ownerId, id);
    return row ? activateProviderIn(ctx, tx, owner, id, origin) : noProvider();
  });
}

/** Changes and records nothing if it is active already. The caller has checked the permissions. */
export async function activateProviderIn(
  ctx: Context,
  tx: Transaction,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details> {
  const before = await readActiveEmailProvider(tx, owner.ownerId);
  if (before && before.id !== id) await deactivateIn(ctx, tx, owner, before.id, origin);
  return recordIn(ctx, tx, {
    ...aboutProvider(owner, "activated", origin),
    async state(_, now) {
      if (before?.id === id) return UNCHANGED;
      await updateEmailProvider(tx, id, { activeFor: owner.ownerId }, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Mails then go out as they do without a provider. */
export function deactivateProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    const row = await readEmailProvider(tx, owner.ownerId, id);
    return row ? deactivateIn(ctx, tx, owner, id, origin) : noProvider();
  });
}

function deactivateIn(ctx: Context, tx: Transaction, owner: ProviderOwner, id: string, origin: Origin) {
  return recordIn(ctx, tx, {
    ...aboutProvider(owner, "deactivated", origin),
    async state(_, now) {
      if ((await readActiveEmailProvider(tx, owner.ownerId))?.id !== id) return UNCHANGED;
      await updateEmailProvider(tx, id, { activeFor: null }, now);
      return { payload: { providerId: id } };
    },
  });
}

/** Forgets its password, too; an active one may be removed, which is what an emergency takes. */
export function removeProvider(
  ctx: Context,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    const row = await readEmailProvider(tx, owner.ownerId, id);
    return row ? removeProviderIn(ctx, tx, owner, id, origin) : noProvider();
  });
}

export function removeProviderIn(
  ctx: Context,
  tx: Transaction,
  owner: ProviderOwner,
  id: string,
  origin: Origin,
): Promise<Details> {
  return recordIn(ctx, tx, {
    ...aboutProvider(owner, "removed", origin),
    async state() {
      await deleteEmailProvider(tx, id);
      return { payload: { providerId: id } };
    },
  });
}
