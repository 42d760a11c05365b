/**
 * Adds a person by API, with a mail: a link to choose a password, or if one was given, a request to confirm the
 * address. Version 2 of the API sends only the mails that its caller requests.
 */
import type { Context } from "../../context";
import { hashGivenPassword } from "../../crypto/password-hash";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { emailContact, makeContactCode, phoneContact, sendContactCode } from "../mailed-code/contact-code";
import { type CodeDelivery, checkDelivery } from "../mailed-code/delivery";
import { type FirstEmail, makeFirstLink } from "../mailed-code/first-link";
import { countInvitations, countMailTo } from "../mailed-code/mail-limit";
import { type Around, createPerson, type NamedUser } from "./create";
import { checkGivenPassword } from "./set-password";
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
  ctx: OriginContext,
  { password, ...person }: PersonToAdd,
  { firstEmail = { type: "init" }, delivery }: { firstEmail?: FirstEmail; delivery: FirstEmailDelivery },
  { before, after }: Around = {},
): Promise<{ id: string } | ApiError> {
  const passwordHash = await hashOf(ctx, { password, ...person });
  if (isApiError(passwordHash)) return passwordHash;
  const needsPassword = passwordHash === undefined;
  const needsProof = !needsPassword && !person.isEmailVerified;
  if (delivery === "send" && (needsPassword || needsProof)) {
    const invited = needsPassword ? await countInvitations(ctx, person.organizationId) : undefined;
    const refusal = invited ?? (await countMailTo(ctx, person.email));
    if (refusal) return refusal;
  }
  const { organizationId, email, isEmailVerified = false } = person;
  const made = await createPerson(
    ctx,
    { ...person, passwordHash },
    {
      before,
      async after(ctx, id) {
        await after?.(ctx, id);
        if (!needsPassword || delivery === "none") return;
        const user = { id, organizationId, email, isEmailVerified };
        await makeFirstLink(ctx, user, firstEmail, { by: "mail" });
      },
    },
  );
  if (isApiError(made)) return made;
  if (needsProof && delivery === "send") {
    await sendContactCode(ctx, emailContact, { ...made, organizationId, email }, { value: email });
  }
  return made;
}

/** How the address and number of a new user are to be verified; undefined if not yet, or if they are verified. */
export interface WantedProofs {
  email?: CodeDelivery;
  phone?: CodeDelivery;
}

/** The codes for the caller to pass on. */
export interface GivenCodes {
  emailCode?: string;
  phoneCode?: string;
}

/** Adds a person who gets only the mails that the caller requests, and has a password only if one is given. */
export async function addPersonWithProofs(
  ctx: OriginContext,
  { password, ...person }: PersonToAdd,
  proofs: WantedProofs,
  { after }: Pick<Around, "after"> = {},
): Promise<({ id: string } & GivenCodes) | ApiError> {
  const { organizationId, email, phone } = person;
  const ref = { organizationId, userId: undefined };
  const codesTo = [{ to: email, delivery: proofs.email }, phone ? { to: phone, delivery: proofs.phone } : undefined];
  const refusal = await checkDelivery(ctx, ref, ...codesTo);
  if (refusal) return refusal;
  const passwordHash = await hashOf(ctx, { password, ...person });
  if (isApiError(passwordHash)) return passwordHash;
  const codes: GivenCodes = {};
  const made = await createPerson(
    ctx,
    { ...person, passwordHash },
    {
      async after(ctx, id) {
        const user = { id, organizationId, email };
        if (proofs.email) {
          const wanted = { value: email, delivery: proofs.email, cannotSignIn: passwordHash === undefined };
          codes.emailCode = (await makeContactCode(ctx, emailContact, user, wanted)).code;
        }
        if (proofs.phone && phone) {
          const wanted = { value: phone, delivery: proofs.phone };
          codes.phoneCode = (await makeContactCode(ctx, phoneContact, user, wanted)).code;
        }
        return after?.(ctx, id);
      },
    },
  );
  return isApiError(made) ? made : { ...made, ...codes };
}

async function hashOf(
  ctx: Context,
  { password, passwordHash, organizationId }: Pick<PersonToAdd, "password" | "passwordHash" | "organizationId">,
): Promise<string | undefined | ApiError> {
  if (passwordHash !== undefined || password === undefined) return passwordHash;
  return (await checkGivenPassword(ctx, organizationId, password)) ?? hashGivenPassword(password);
}
