/**
 * Adding a person by API, with the mail that tells them. Without a password they get a link to choose one; with one
 * they are asked to confirm their address.
 */
import type { Context } from "../../context";
import { hashGivenPassword } from "../../crypto/password-hash";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { sendAddressCode } from "../mailed-code/address-code";
import { type FirstEmail, type FirstLink, makeFirstLink } from "../mailed-code/first-link";
import { countMailTo } from "../mailed-code/mail-limit";
import { type Around, createPerson, type Named } from "./create";
import type { NewPerson } from "./user";

export interface PersonToAdd extends NewPerson, Named {
  email: string;
  /** In the clear; instead of a hash. */
  password?: string;
}

/** What happens to the link: mailed, returned to the caller, or not made. */
export type Delivery = "send" | "return" | "none";

/**
 * @param around done in the same transaction
 * @returns with `return` and no password: the link for the caller to pass on */
export async function addPersonWithLetter(
  ctx: Context,
  { password, ...person }: PersonToAdd,
  { letter = { type: "init" }, delivery }: { letter?: FirstEmail; delivery: Delivery },
  origin: Origin,
  { before, after }: Around = {},
): Promise<{ id: string; link?: FirstLink } | ApiError> {
  const passwordHash = person.passwordHash ?? (password === undefined ? undefined : await hashGivenPassword(password));
  const needsPassword = passwordHash === undefined;
  const needsProof = !needsPassword && !person.isEmailVerified;
  if (delivery === "send" && (needsPassword || needsProof)) {
    const refusal = await countMailTo(ctx, person.email);
    if (refusal) return refusal;
  }
  let link: FirstLink | undefined;
  const { organizationId, email, isEmailVerified = false } = person;
  const made = await createPerson(ctx, { ...person, passwordHash }, origin, {
    before,
    async after(tx, id) {
      await after?.(tx, id);
      if (!needsPassword || delivery === "none") return;
      const user = { id, organizationId, email, isEmailVerified };
      link = await makeFirstLink(ctx, tx, user, letter, { send: delivery === "send", origin });
    },
  });
  if (isApiError(made)) return made;
  if (needsProof && delivery === "send") {
    await sendAddressCode(ctx, { ...made, organizationId, email, isEmailVerified }, email, origin);
  }
  return delivery === "return" ? { ...made, link } : made;
}
