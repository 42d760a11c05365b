/** The keys with which machines authenticate (RFC 7523 §2.1). Only public keys are stored. */
import type { Context } from "../../context";
import { type Details, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, isApiError, notFound } from "../../protocol/api-error";
import {
  type CredentialMatch,
  countKeysIn,
  credentialsThat,
  deleteMachineKey,
  machineKeyList,
  ofMachine,
  type ShownMachineKey,
} from "../../storage/machine-user/credentials";
import { lockUser } from "../../storage/user/user";
import { onUniqueViolation } from "../change";
import { type PagedList, pagedList } from "../listing";
import { checkExpiry, checkKeyCount, keyIdTaken, type NewKey, prepareKey, type WantedKey } from "../new-key";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";
import { addMachineKey } from "./machine";

export type ListedMachineKey = ShownMachineKey;

/** Lists the keys of a machine by id. */
export async function listKeysOfMachine(ctx: Context, ref: UserRef): Promise<PagedList<ListedMachineKey> | ApiError> {
  const machine = await readListedUser(ctx, { ...ref, kind: "machine" });
  if (isApiError(machine)) return machine;
  return searchMachineKeys(ctx, [{ userId: machine.id }]);
}

/** Lists the keys of several machines by id; a key must match all given filters. */
export function searchMachineKeys(ctx: Context, matches: readonly CredentialMatch[]): PagedList<ListedMachineKey> {
  return pagedList(ctx, credentialsThat(matches), machineKeyList);
}

export async function readKeyOfMachine(
  ctx: Context,
  ref: UserRef,
  keyId: string,
): Promise<ListedMachineKey | ApiError> {
  const machine = await readListedUser(ctx, { ...ref, kind: "machine" });
  if (isApiError(machine)) return machine;
  const first = { after: undefined, offset: 0, limit: 1, descending: false };
  const { rows } = await machineKeyList.page(ctx.db, ofMachine(machine.id, keyId), first);
  return rows[0] ?? noSuchKey();
}

/** Adds a key; generates a key pair if no public key is given. */
export async function addKeyToMachine(ctx: OriginContext, ref: UserRef, wanted: WantedKey): Promise<NewKey | ApiError> {
  const expired = checkExpiry(ctx, "machine", wanted);
  if (expired) return expired;
  const machine = await readListedUser(ctx, { ...ref, kind: "machine" });
  if (isApiError(machine)) return machine;
  const key = await prepareKey(wanted, { type: "serviceaccount", userId: machine.id });
  const refusal = await onUniqueViolation(
    () => keyIdTaken("machine"),
    () =>
      changeUser(ctx, { ...ref, kind: "machine" }, async (ctx, { id, organizationId }) => {
        await lockUser(ctx.db, ctx.tx, id);
        const tooMany = checkKeyCount("machine", await countKeysIn(ctx.tx, id));
        if (tooMany) return tooMany;
        await addMachineKey(ctx, { id, organizationId }, key);
        return undefined;
      }),
  );
  return refusal ?? key;
}

/** Removes a key. Signatures made with it are rejected from then on. */
export function removeKeyOfMachine(ctx: OriginContext, ref: UserRef, keyId: string): Promise<Details | ApiError> {
  return changeUser(ctx, { ...ref, kind: "machine" }, async (ctx, machine) => {
    if (!(await deleteMachineKey(ctx.tx, machine.id, keyId))) return noSuchKey();
    return recordIn(ctx, {
      type: "user.machine.key.removed",
      object: machine,
      state: async () => ({ payload: { keyId } }),
    });
  });
}

const noSuchKey = () => notFound("machine.key_not_found", "The machine has no such key.");
