/** What an organization says of its machines: name, description, the form of their tokens. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { refuseKeyAddress } from "../key-address";
import { changeUser, type UserPlace } from "./change";
import { changeMachine, type MachineFields } from "./machine";

/** Changes what is given and differs. */
export async function changeMachineOf(
  ctx: Context,
  place: UserPlace,
  fields: MachineFields,
  origin: Origin,
): Promise<undefined | ApiError> {
  const misplaced = refuseKeyAddress(ctx, fields.jwksUri);
  if (misplaced) return misplaced;
  return changeUser(ctx, { ...place, kind: "machine" }, origin, async (tx, stored) => {
    await changeMachine(ctx, tx, stored, fields, origin);
    return undefined;
  });
}
