/**
 * The email address and the phone number of a user: set and either verified at once, verified later with a code that is
 * sent or returned to the caller, or left unverified.
 */
import type { ChangeContext, OriginContext } from "../../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../../protocol/api-error";
import { countPasskeys } from "../../../storage/factor/passkeys";
import { consumeOneTimeToken, type OneTimeTokenRow } from "../../../storage/user/one-time-tokens";
import type { UserRow } from "../../../storage/user/user";
import {
  type ContactChannel,
  type ContactPayload,
  makeContactCode,
  phoneContact,
} from "../../mailed-code/contact-code";
import { type CodeDelivery, checkDelivery } from "../../mailed-code/delivery";
import { noWorkingCode, openTypedCode } from "../../mailed-code/typed";
import { changeUser, type UserRef } from "../change";
import { provesMailbox } from "../email-trust";
import { readListedUser } from "../list";
import { changePerson } from "../user";

export interface WantedContact {
  /** The address or number. */
  value: string;
  /** By default a new contact is unverified, and an unchanged one keeps its state unless a code is made for it. */
  isVerified?: boolean;
  /** Undefined if no code is to be made. */
  delivery?: CodeDelivery;
  /** Whether the link in the mail stays the one that requires a sign-in, also for people who cannot sign in yet. */
  keepsLink?: boolean;
}

/** The code for the caller to pass on; undefined if it was sent, or none was made. */
export interface Proving {
  code: string | undefined;
}

export async function setContact(
  ctx: OriginContext,
  ref: UserRef,
  channel: ContactChannel,
  wanted: WantedContact,
): Promise<Proving | ApiError> {
  const refusal = await checkDelivery(ctx, ref, { to: wanted.value, delivery: wanted.delivery });
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, (ctx, stored) => setContactIn(ctx, channel, stored, wanted));
}

/** Sets the contact within a transaction of `changeUser`. The caller has called `checkDelivery`. */
export async function setContactIn(
  ctx: ChangeContext,
  channel: ContactChannel,
  stored: UserRow,
  wanted: WantedContact,
): Promise<Proving> {
  const { value, delivery } = wanted;
  const isKept = value === stored[channel.column] && Boolean(stored[channel.verified]);
  const columns = channel.columns(value, wanted.isVerified ?? (!delivery && isKept));
  await changePerson(ctx, stored, columns);
  if (!delivery) return { code: undefined };
  return makeCode(ctx, channel, { ...stored, ...columns }, { ...wanted, delivery });
}

/** Changes the contact; unless it is verified, a code is sent to it. */
export function changeContact(
  ctx: OriginContext,
  ref: UserRef,
  channel: ContactChannel,
  { value, isVerified = false }: { value: string; isVerified?: boolean },
): Promise<Proving | ApiError> {
  const delivery = isVerified ? undefined : { by: channel.by };
  return setContact(ctx, ref, channel, { value, isVerified, delivery, keepsLink: true });
}

/** Changes a number on behalf of its owner: a new one is unverified and gets a code. */
export async function changeOwnPhone(
  ctx: OriginContext,
  ref: UserRef,
  phone: string,
): Promise<Proving | undefined | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  return person.phone === phone ? undefined : changeContact(ctx, ref, phoneContact, { value: phone });
}

/**
 * Makes another code for a contact that is not verified yet.
 * @param wanted.delivery by default the code is sent
 */
export async function proveContactAgain(
  ctx: OriginContext,
  ref: UserRef,
  channel: ContactChannel,
  { delivery = { by: channel.by }, keepsLink }: Pick<WantedContact, "delivery" | "keepsLink">,
): Promise<Proving | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const value = person[channel.column];
  if (value === null || person[channel.verified]) return nothingToVerify(channel);
  const refusal = await checkDelivery(ctx, ref, { to: value, delivery });
  if (refusal) return refusal;
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, stored) => {
    if (stored[channel.column] !== value || stored[channel.verified]) return nothingToVerify(channel);
    return makeCode(ctx, channel, stored, { value, delivery, keepsLink });
  });
}

const nothingToVerify = ({ noun }: ContactChannel) =>
  failedPrecondition("user.nothing_to_verify", `The user has no ${noun} that is waiting to be verified.`);

async function makeCode(
  ctx: ChangeContext,
  channel: ContactChannel,
  stored: UserRow,
  { value, delivery, keepsLink = false }: WantedContact & { delivery: CodeDelivery },
): Promise<Proving> {
  const mayReplaceLink = delivery.by === "mail" && !keepsLink && stored.passwordHash === null;
  const cannotSignIn = mayReplaceLink && (await countPasskeys(ctx.tx, stored.id)) === 0;
  return makeContactCode(ctx, channel, stored, { value, delivery, cannotSignIn });
}

/** Verifies the contact with the code that the user has typed into a page of the API caller. */
export async function verifyContactByCode(
  ctx: OriginContext,
  ref: UserRef,
  channel: ContactChannel,
  code: string,
): Promise<undefined | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const row = await openTypedCode<ContactPayload>(ctx, channel.purpose, person.id, code, channel.tries);
  if (isApiError(row)) return row;
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, stored) =>
    (await confirmContactIn(ctx, channel, stored, row)) ? undefined : noWorkingCode(),
  );
}

/**
 * Consumes the code: the address or number that it was sent to becomes the user's verified one.
 * @returns false if the code was used meanwhile, or the user's address or number has changed since
 */
export async function confirmContactIn(
  ctx: ChangeContext,
  channel: ContactChannel,
  stored: UserRow,
  { digest, payload, createdAt }: OneTimeTokenRow<ContactPayload>,
): Promise<boolean> {
  if (!(await consumeOneTimeToken(ctx.tx, digest, channel.purpose, ctx.clock()))) return false;
  const value = payload[channel.column];
  if (value === undefined || !channel.isFor(payload, stored)) return false;
  // A code that was passed on is only as trustworthy as the caller who submits it.
  const isProof = channel.by === "mail" && !payload.passedOn;
  const isEmailTrusted = isProof ? await provesMailbox(ctx.tx, stored.organizationId, createdAt) : undefined;
  await changePerson(ctx, stored, { ...channel.columns(value, true), isEmailTrusted });
  return true;
}
