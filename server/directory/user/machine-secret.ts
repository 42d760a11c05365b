/** The secret of a machine. It is shown once, when it is made; the database contains only its digest. */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, notFound } from "../../protocol/api-error";
import { updateUser } from "../../storage/user/user";
import { changeUser, type UserRef } from "./change";

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
