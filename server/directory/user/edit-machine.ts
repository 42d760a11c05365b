/**
 * Changes an organization's machines: name, description, token format, and the secret. A secret is shown once, when it
 * is made; the database contains only its digest.
 */
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { type Details, type OriginContext, recordIn } from "../../events/record";
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
  ctx: OriginContext,
  ref: UserRef,
  { userName, ...fields }: MachineFields & { userName?: string },
): Promise<undefined | ApiError> {
  const misplaced = refuseKeyAddress(ctx, fields.jwksUri);
  if (misplaced) return misplaced;
  return changeUser(ctx, { ...ref, kind: "machine" }, async (ctx, stored) => {
    const refusal = userName === undefined ? undefined : await renameUserIn(ctx, stored, userName);
    if (refusal) return refusal;
    await changeMachine(ctx, (await readUser(ctx.tx, stored.id)) ?? stored, fields);
    return undefined;
  });
}

/** Makes a new secret, which replaces the previous one. */
export function makeMachineSecret(
  ctx: OriginContext,
  ref: UserRef,
): Promise<{ clientId: string; clientSecret: string; details: Details } | ApiError> {
  const clientSecret = randomSecret();
  return changeUser(ctx, { ...ref, kind: "machine" }, async (ctx, machine) => ({
    clientId: machine.clientId ?? machine.userName,
    clientSecret,
    details: await recordIn(ctx, {
      type: "user.machine.secret.set",
      object: machine,
      async state(_, now) {
        await updateUser(ctx.tx, machine.id, { secretDigest: digest(clientSecret) }, now);
        return {};
      },
    }),
  }));
}

export function removeMachineSecret(ctx: OriginContext, ref: UserRef): Promise<Details | ApiError> {
  return changeUser(ctx, { ...ref, kind: "machine" }, async (ctx, machine) => {
    if (machine.secretDigest === null) return notFound("machine.no_secret", "The machine has no secret.");
    return recordIn(ctx, {
      type: "user.machine.secret.removed",
      object: machine,
      async state(_, now) {
        await updateUser(ctx.tx, machine.id, { secretDigest: null }, now);
        return {};
      },
    });
  });
}
