/** Whether a code may get to a person as the caller of the API wants it to. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { checkTemplate } from "./link-template";
import { countMailTo, countTextTo } from "./mail-limit";
import type { Passing, PassingToPhone } from "./passing";

interface Ways {
  /** Where the code is for an address; the mail is counted, as it is about to be sent. */
  email?: { email: string; passing: Passing | undefined };
  /** The same for a number. */
  phone?: { phone: string; passing: PassingToPhone | undefined };
}

/**
 * The refusal if a code cannot be sent, or not with that link. Asked before anything is changed.
 * @param place.userId undefined for somebody who is only being added
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
