/**
 * Sends a message to its author's own verified address, marked as a trial, through the queue every message takes.
 * Counted per account, and per network: the button is no way to fill anybody's inbox (attack: mail bombs).
 */
import type { Caller } from "../access/caller";
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { trialMessage } from "../directory/notifications";
import { recordIn } from "../events/record";
import { counter, countFailures, type Limit, limits, networkOf } from "../login/throttle";
import { type ApiError, failedPrecondition, isApiError, resourceExhausted } from "../protocol/api-error";
import { findRecipient } from "../storage/recipients";
import { overBeneath, textBeneath } from "../texts/beneath";
import type { Language } from "../texts/languages";
import { lintMessageText } from "../texts/lint";
import { parseFields } from "../texts/parse-fields";
import { refusalOf } from "../texts/set-message-text";
import { authorizeText, type TextTarget } from "../texts/text-owner";
import { isShortMessage } from "../texts/visible";

export interface SendTrial extends TextTarget {
  /** As for a preview. */
  body: unknown;
  /** The client's. */
  address?: string;
  requestId?: string;
}

const HOUR = 3_600_000;
/** Choice: enough to look at a text in several mail programs, too few to annoy anybody. */
const TRIALS: Limit = { name: "trials-of", free: 20, delays: [HOUR, HOUR, HOUR, HOUR, HOUR], forgetAfter: HOUR };

export async function sendTrial(
  ctx: Context,
  caller: Caller,
  request: SendTrial,
): Promise<{ recipient: string; language: Language } | ApiError> {
  const target = await authorizeText(ctx, caller, request, "write");
  if (isApiError(target)) return target;
  const { type, language } = target.key;
  const fields = request.body === undefined ? undefined : parseFields(type, request.body);
  if (isApiError(fields)) return fields;
  const beneath = await textBeneath(ctx, target, target.key);
  const { errors } = lintMessageText(type, fields ?? {}, beneath);
  if (errors.length > 0) return refusalOf(errors);
  if (isShortMessage(type)) {
    return failedPrecondition("message.no_mail", "This message goes to phones; look at it in the preview.");
  }
  const person = await findRecipient(ctx.db, caller.userId);
  const texts = { type, ownerId: target.ownerId, language, fields: fields && overBeneath(fields, beneath) };
  const [message] = person ? trialMessage(person, texts) : [];
  if (!person || !message) {
    return failedPrecondition("user.no_verified_email", "You have no verified e-mail address it could be sent to.");
  }
  const blocked = await countFailures(ctx, [
    counter(TRIALS, caller.userId),
    counter(limits.mailsFrom, networkOf(request.address)),
  ]);
  if (blocked !== undefined) {
    const minutes = Math.max(1, Math.ceil((blocked - ctx.clock()) / 60_000));
    return resourceExhausted("message.too_many_trials", `Too many trials; try again in ${minutes} minutes.`);
  }
  await changeDirectory(ctx, (tx) =>
    recordIn(ctx, tx, {
      type: "user.trial_message.requested",
      aggregateId: person.id,
      resourceOwner: person.organizationId,
      origin: { actor: caller.userId, requestId: request.requestId },
      state: async () => ({ payload: { messageType: type, language }, messages: [message] }),
    }),
  );
  return { recipient: message.recipient, language };
}
