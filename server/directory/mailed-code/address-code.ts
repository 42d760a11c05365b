/** The code that verifies an email address. */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { Occasion, Recipient } from "../../message-types/message";
import { emailVerification } from "../../message-types/verifyemail";
import type { Transaction } from "../../storage/database";
import { insertOneTimeToken, voidOneTimeTokens } from "../../storage/user/one-time-tokens";
import { readCodeLifetime } from "../effective-lifetimes";
import { type CodeDelivery, mailFor, type PassedOn } from "./delivery";
import { makeMailedCode, type NewMailedCode } from "./mailed-code";
import { requestedByNobody, type StoredReset } from "./reset-code";

export const ADDRESS_PURPOSE = "email_verification";

/** The data stored with the code. */
export interface AddressPayload extends PassedOn {
  /** The address the code was sent to. */
  email: string;
  /** The account's address at that time; if it has changed since, the code is void. */
  current: string | null;
}

/**
 * Mails a code and a link to an unverified address and voids older ones.
 * @returns the challenge
 */
export async function sendAddressCode(
  ctx: Context,
  user: Recipient,
  email: string,
  origin: Origin,
  occasion: Occasion = {},
): Promise<string> {
  const made = await ctx.db.transaction((tx) =>
    makeAddressCode(ctx, tx, user, { email, occasion, delivery: { by: "mail" } }, origin),
  );
  return made.challenge;
}

export interface AddressCodeWanted {
  /** The address to verify. */
  email: string;
  delivery: CodeDelivery;
  occasion?: Occasion;
  /**
   * Whether the person cannot sign in yet. Our link, which requires a sign-in, is then replaced by one to choose a
   * password, which also verifies the address.
   */
  cannotSignIn?: boolean;
}

/** Makes the code within the caller's transaction and voids older ones. */
export async function makeAddressCode(
  ctx: Context,
  tx: Transaction,
  user: Recipient,
  { email, delivery, occasion = {}, cannotSignIn = false }: AddressCodeWanted,
  origin: Origin,
): Promise<{ challenge: string; code: string }> {
  const payload: AddressPayload = { email, current: user.email };
  const of = { subjectId: user.id, payload: { ...payload } };
  const lifetime = await readCodeLifetime(ctx, tx, "verifyEmail");
  const { mail, row } = makeMailedCode(ctx, ADDRESS_PURPOSE, of, lifetime);
  const choice = cannotSignIn && delivery.by === "mail" ? makeChoice(ctx, { ...user, email }, lifetime) : undefined;
  const { toMail, passedOn } = mailFor(ctx, user, { ...mail, path: choice?.mail.path ?? mail.path }, delivery);
  await recordIn(ctx, tx, {
    type: "user.email.verification_requested",
    aggregateId: user.id,
    resourceOwner: user.organizationId,
    origin,
    async state(_, now) {
      await voidOneTimeTokens(ctx.db, tx, ADDRESS_PURPOSE, now, user.id);
      await insertOneTimeToken(tx, { ...row, payload: { ...row.payload, passedOn } });
      if (choice) {
        await voidOneTimeTokens(ctx.db, tx, "password_reset", now, user.id);
        await insertOneTimeToken(tx, choice.row);
      }
      const messages = toMail ? emailVerification(ctx, { ...user, email }, toMail, occasion) : [];
      return { payload: { email }, messages };
    },
  });
  return { challenge: row.digest, code: mail.code };
}

/**
 * Makes a link to choose a password.
 * @param lifetime milliseconds
 */
function makeChoice(ctx: Context, { id: subjectId, email }: Recipient, lifetime: number): NewMailedCode {
  const stored: StoredReset = { email, invitation: { provesEmail: true } };
  const payload = { ...stored, ...requestedByNobody(ctx) };
  return makeMailedCode(ctx, "password_reset", { subjectId, payload }, lifetime);
}
