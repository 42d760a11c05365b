/** Checks whether a code may be delivered in the way that the API caller requests. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { CodeDelivery, PhoneCodeDelivery } from "./delivery";
import { checkTemplate } from "./link-template";
import { countMailTo, countTextTo } from "./mail-limit";

interface Ways {
  /** A code for an email address; the mail is counted, because it is about to be sent. */
  email?: { email: string; delivery: CodeDelivery | undefined };
  /** A code for a phone number; the text message is counted. */
  phone?: { phone: string; delivery: PhoneCodeDelivery | undefined };
}

/**
 * Returns an error if a code cannot be sent, or not with the given link. Called before anything is changed.
 * @param place.userId undefined for a user who is only being added
 */
export async function checkDelivery(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string | undefined },
  { email: wanted, phone }: Ways,
  { actor }: Origin,
): Promise<ApiError | undefined> {
  if (wanted?.delivery?.by === "mail") {
    const { email, delivery } = wanted;
    const { urlTemplate } = delivery;
    const setting = { organizationId, changedBy: actor };
    const refusal =
      urlTemplate === undefined ? undefined : await checkTemplate(ctx, urlTemplate, setting, { userId, email });
    if (refusal) return refusal;
    const tooMany = await countMailTo(ctx, email);
    if (tooMany) return tooMany;
  }
  return phone?.delivery?.by === "sms" ? countTextTo(ctx, phone.phone, { organizationId, userId }) : undefined;
}
