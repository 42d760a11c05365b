/**
 * Changes an organization's machines: name, description, token format, and the secret. A secret is shown once, when it
 * is made; the database contains only its digest.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, notFound } from "../../protocol/api-error";
import { readUser, updateUser } from "../../storage/user/user";
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

/** Makes a new secret, which replaces the previous one. */
export function makeMachineSecret(
  ctx: Context,
  ref: UserRef,
  origin: Origin,
): Promise<{ clientId: string; clientSecret: string; details: Details } | ApiError> {
  const clientSecret = randomSecret();
  return changeUser(ctx, { ...ref, kind: "machine" }, origin, async (tx, machine) => ({
    clientId: machine.clientId ?? machine.userName,
    clientSecret,
    details: await recordIn(ctx, tx, {
      type: "user.machine.secret.set",
      object: machine,
      origin,
      async state(_, now) {
        await updateUser(tx, machine.id, { secretDigest: digest(clientSecret) }, now);
        return {};
      },
    }),
  }));
}

export function removeMachineSecret(ctx: Context, ref: UserRef, origin: Origin): Promise<Details | ApiError> {
  return changeUser(ctx, { ...ref, kind: "machine" }, origin, async (tx, machine) => {
    if (machine.secretDigest === null) return notFound("machine.no_secret", "The machine has no secret.");
    return recordIn(ctx, tx, {
      type: "user.machine.secret.removed",
      object: machine,
      origin,
      async state(_, now) {
        await updateUser(tx, machine.id, { secretDigest: null }, now);
        return {};
      },
    });
  });
}
