/** Adds (after the first signature was checked), renames and removes a user's passkeys. Every change is an event. */
import { type ChangeContext, inTransaction, type Message, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import {
  countPasskeys,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  type NewPasskey,
  renamePasskeyRow,
} from "../../storage/factor/passkeys";
import { lockUser } from "../../storage/user/user";
import { type CodeDelivery, checkDelivery } from "../mailed-code/delivery";
import { makePasskeyLink, type PasskeyLink } from "../mailed-code/passkey-link";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";
import { noticesAbout } from "./notices";
import type { FactorOwner } from "./recovery-codes";
import { type AddedFactor, dropUselessCodes, firstRecoveryCodes, once } from "./second-factor";

/** More than any user needs; limits the list that is sent to browsers. */
const MAX_PASSKEYS = 20;

/**
 * Stores a passkey; `repeated` if its id already exists, for any user.
 * @param redeem consumes what permits the addition, in the same transaction; false if it was used meanwhile, in which
 * case nothing is stored
 */
export async function addPasskey(
  ctx: OriginContext,
  user: FactorOwner,
  passkey: Omit<NewPasskey, "userId">,
  redeem: (ctx: ChangeContext) => Promise<boolean> = async () => true,
): Promise<AddedFactor | { kind: "repeated" } | { kind: "too-many" } | { kind: "redeemed" }> {
  return once(() =>
    inTransaction(ctx, async (ctx) => {
      await lockUser(ctx.db, ctx.tx, user.id);
      if ((await countPasskeys(ctx.tx, user.id)) >= MAX_PASSKEYS) return { kind: "too-many" } as const;
      if (!(await redeem(ctx))) return { kind: "redeemed" } as const;
      await recordPasskeyAdded(ctx, user, passkey, (at) =>
        noticesAbout(ctx, user.id, "factorAdded", { at, factor: "passkey" }),
      );
      return { kind: "added", recoveryCodes: await firstRecoveryCodes(ctx, user) } as const;
    }),
  );
}

async function recordPasskeyAdded(
  ctx: ChangeContext,
  user: FactorOwner,
  passkey: Omit<NewPasskey, "userId">,
  notices: (at: number) => Promise<Message[]>,
): Promise<void> {
  await recordIn(ctx, {
    type: "user.passkey.added",
    object: user,
    async state(_, now) {
      await insertPasskey(ctx.tx, { ...passkey, userId: user.id }, now);
      const { name, aaguid, isMultiDevice } = passkey;
      return { payload: { name, aaguid, isMultiDevice }, messages: await notices(now) };
    },
  });
}

/**
 * Adds a passkey that a person used in another system. It sends no notice, as the person did nothing, and makes no
 * recovery codes, as no one would see them.
 * @returns false if the person has too many
 */
export async function importPasskeyIn(
  ctx: ChangeContext,
  user: FactorOwner,
  passkey: Omit<NewPasskey, "userId">,
): Promise<boolean> {
  if ((await countPasskeys(ctx.tx, user.id)) >= MAX_PASSKEYS) return false;
  await recordPasskeyAdded(ctx, user, passkey, async () => []);
  return true;
}

/** Renames a passkey. Returns false if the user has no such passkey, or it already has this name. */
export function renamePasskey(
  ctx: OriginContext,
  user: FactorOwner,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await renamePasskeyRow(ctx.tx, user.id, id, name))) return false;
    await recordIn(ctx, {
      type: "user.passkey.renamed",
      object: user,
      state: async () => ({ payload: { name } }),
    });
    return true;
  });
}

/** Removes a passkey. Returns false if the user has no such passkey. */
export async function removePasskey(ctx: OriginContext, user: FactorOwner, id: string): Promise<boolean> {
  const passkey = (await listPasskeys(ctx.db, user.id)).find((row) => row.id === id);
  return passkey !== undefined && inTransaction(ctx, (ctx) => removePasskeyIn(ctx, user, passkey));
}

/** Removes a passkey within the caller's transaction. */
export async function removePasskeyIn(
  ctx: ChangeContext,
  user: FactorOwner,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  if (!(await deletePasskey(ctx.tx, user.id, id))) return false;
  await recordIn(ctx, {
    type: "user.passkey.removed",
    object: user,
    async state(_, now) {
      await dropUselessCodes(ctx, user.id, now);
      const messages = await noticesAbout(ctx, user.id, "factorRemoved", { at: now, factor: "passkey" });
      return { payload: { name }, messages };
    },
  });
  return true;
}

/** Makes the link. Returns an error for users who may not sign in, and for mails to unverified addresses. */
export async function inviteToPasskey(
  ctx: OriginContext,
  ref: UserRef,
  delivery: CodeDelivery,
): Promise<PasskeyLink | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const { email } = person;
  if (delivery.by === "mail" && (email === null || !person.isEmailVerified)) return notVerified();
  const refusal = email === null ? undefined : await checkDelivery(ctx, ref, { to: email, delivery });
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, user) => {
    if (user.state !== "active")
      return failedPrecondition("user.not_active", "The user is not active. Activate the account first.");
    if (delivery.by === "mail" && (user.email !== email || !user.isEmailVerified)) return notVerified();
    return makePasskeyLink(ctx, user, delivery);
  });
}

const notVerified = () =>
  failedPrecondition(
    "user.no_verified_email",
    "The user has no verified email address to send it to. Verify one first.",
  );
