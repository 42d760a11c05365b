/** Checks whether a code may be delivered in the way that the API caller requests. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { checkTemplate } from "./link-template";
import { countMailTo, countTextTo } from "./mail-limit";
import type { Passing, PassingToPhone } from "./passing";

interface Ways {
  /** A code for an email address; the mail is counted, because it is about to be sent. */
  email?: { email: string; passing: Passing | undefined };
  /** A code for a phone number; the text message is counted. */
  phone?: { phone: string; passing: PassingToPhone | undefined };
}

/**
 * Returns an error if a code cannot be sent, or not with the given link. Called before anything is changed.
 * @param place.userId undefined for a user who is only being added
 */
export async function checkPassing(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
  { email: wanted, phone }: Ways,
  { actor }: Origin,
): Promise<ApiError | undefined> {
  if (wanted?.passing?.by === "mail") {
    const { email, passing } = wanted;
    const { urlTemplate } = passing;
    const setting = { organizationId, changedBy: actor };
    const refusal =
      urlTemplate === undefined ? undefined : await checkTemplate(ctx, urlTemplate, setting, { userId, email });
    if (refusal) return refusal;
    const tooMany = await countMailTo(ctx, email);
    if (tooMany) return tooMany;
  }
  return phone?.passing?.by === "sms" ? countTextTo(ctx, phone.phone, { organizationId, userId }) : undefined;
}
