/** Changes the data of an organization's machines: name, description, token format. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readUser } from "../../storage/user/user";
import { refuseKeyAddress } from "../key-address";
import { changeUser, type UserRef } from "./change";
import { changeMachine, type MachineFields } from "./machine";
import { renameUserIn } from "./rename";

/**
 * Changes the given fields that differ.
 * @param wanted.userName a new name, with which the machine authenticates from then on
 */
export async function changeMachineOf(
  ctx: Context,
  ref: UserRef,
  { userName, ...fields }: MachineFields & { userName?: string },
  origin: Origin,
): Promise<undefined | ApiError> {
  const misplaced = refuseKeyAddress(ctx, fields.jwksUri);
  if (misplaced) return misplaced;
  return changeUser(ctx, { ...ref, kind: "machine" }, origin, async (tx, stored) => {
    const refusal = userName === undefined ? undefined : await renameUserIn(ctx, tx, stored, userName, origin);
    if (refusal) return refusal;
    await changeMachine(ctx, tx, (await readUser(tx, stored.id)) ?? stored, fields, origin);
    return undefined;
  });
}
