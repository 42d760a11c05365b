/**
 * Adds a person by API, with a mail: a link to choose a password, or if one was given, a request to confirm the
 * address. Version 2 of the API sends only the mails that its caller requests.
 */
import type { Context } from "../../context";
import { hashGivenPassword } from "../../crypto/password-hash";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { makeAddressCode, sendAddressCode } from "../mailed-code/address-code";
import { checkDelivery } from "../mailed-code/check-delivery";
import type { CodeDelivery, PhoneCodeDelivery } from "../mailed-code/delivery";
import { type FirstEmail, makeFirstLink } from "../mailed-code/first-link";
import { countInvitations, countMailTo } from "../mailed-code/mail-limit";
import { makePhoneCode } from "../mailed-code/phone-code";
import { type Around, createPerson, type NamedUser } from "./create";
import type { NewPerson } from "./user";

export interface PersonToAdd extends NewPerson, NamedUser {
  email: string;
  /** Plain text, as an alternative to a hash. */
  password?: string;
}

/** The mail for a new user: the usual one, or none. */
export type FirstEmailDelivery = "send" | "none";

/** Adds a person, with further steps before and after in the same transaction. */
export async function addPersonWithMail(
  ctx: Context,
  { password, ...person }: PersonToAdd,
  { firstEmail = { type: "init" }, delivery }: { firstEmail?: FirstEmail; delivery: FirstEmailDelivery },
  origin: Origin,
  { before, after }: Around = {},
): Promise<{ id: string } | ApiError> {
  const passwordHash = await hashOf({ password, ...person });
  const needsPassword = passwordHash === undefined;
  const needsProof = !needsPassword && !person.isEmailVerified;
  if (delivery === "send" && (needsPassword || needsProof)) {
    const invited = needsPassword ? await countInvitations(ctx, person.organizationId) : undefined;
    const refusal = invited ?? (await countMailTo(ctx, person.email));
    if (refusal) return refusal;
  }
  const { organizationId, email, isEmailVerified = false } = person;
  const made = await createPerson(ctx, { ...person, passwordHash }, origin, {
    before,
    async after(tx, id) {
      await after?.(tx, id);
      if (!needsPassword || delivery === "none") return;
      const user = { id, organizationId, email, isEmailVerified };
      await makeFirstLink(ctx, tx, user, firstEmail, { delivery: { by: "mail" }, origin });
    },
  });
  if (isApiError(made)) return made;
  if (needsProof && delivery === "send") {
    await sendAddressCode(ctx, { ...made, organizationId, email, isEmailVerified }, email, origin);
  }
  return made;
}

/** How the address and number of a new user are to be verified; undefined if not yet, or if they are verified. */
export interface WantedProofs {
  email?: CodeDelivery;
  phone?: PhoneCodeDelivery;
}

/** The codes for the caller to pass on. */
export interface GivenCodes {
  emailCode?: string;
  phoneCode?: string;
}

/** Adds a person who gets only the mails that the caller requests, and has a password only if one is given. */
export async function addPersonWithProofs(
  ctx: Context,
  { password, ...person }: PersonToAdd,
  proofs: WantedProofs,
  origin: Origin,
): Promise<({ id: string } & GivenCodes) | ApiError> {
  const { organizationId, email, isEmailVerified = false, phone } = person;
  const ref = { organizationId, userId: undefined };
  const refusal = await checkDelivery(
    ctx,
    ref,
    { email: { email, delivery: proofs.email }, phone: phone ? { phone, delivery: proofs.phone } : undefined },
    origin,
  );
  if (refusal) return refusal;
  const passwordHash = await hashOf({ password, ...person });
  const codes: GivenCodes = {};
  const made = await createPerson(ctx, { ...person, passwordHash }, origin, {
    async after(tx, id) {
      if (proofs.email) {
        const user = { id, organizationId, email, isEmailVerified };
        const wanted = { email, delivery: proofs.email, cannotSignIn: passwordHash === undefined };
        const { code } = await makeAddressCode(ctx, tx, user, wanted, origin);
        if (proofs.email.by === "caller") codes.emailCode = code;
      }
      if (proofs.phone && phone) {
        const wanted = { phone, delivery: proofs.phone };
        codes.phoneCode = await makePhoneCode(ctx, tx, { id, organizationId }, wanted, origin);
      }
    },
  });
  return isApiError(made) ? made : { ...made, ...codes };
}

const hashOf = async ({ password, passwordHash }: Pick<PersonToAdd, "password" | "passwordHash">) =>
  passwordHash ?? (password === undefined ? undefined : await hashGivenPassword(password));
