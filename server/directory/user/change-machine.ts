/** What an organization says of its machines: name, description, the form of their tokens. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readUser } from "../../storage/users";
import { refuseKeyAddress } from "../key-address";
import { changeUser, type UserRef } from "./change";
import { changeMachine, type MachineFields } from "./machine";
import { renameUserIn } from "./rename";

/**
 * Changes what is given and differs.
 * @param wanted.userName another one, by which it authenticates from then on
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
