/**
 * Sends a message to its author's own verified address or phone, marked as a trial, through the regular queue. Trials
 * are limited per account and per network, so that no inbox can be flooded (attack: mail bombs).
 */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { changeDirectory } from "../directory/change";
import type { Language } from "../directory/policy/languages";
import { type OriginContext, recordIn } from "../events/record";
import { trialMessage } from "../message-types/message";
import { definitionOf } from "../message-types/table";
import { type ApiError, failedPrecondition, isApiError, notFound } from "../protocol/api-error";
import { findOutboxMessage, type MessageState } from "../storage/message/outbox-log";
import { findRecipient } from "../storage/message/recipients";
import { textRefusal } from "../texts/check-message-text";
import { inheritedText, overInherited } from "../texts/inherited";
import { lintMessageText } from "../texts/lint";
import { isShortMessage, type MessageTextFields } from "../texts/message-text";
import { ownHosts } from "../texts/own-hosts";
import type { SamplePerson } from "../texts/sample-persons";
import { findTarget, type TextTarget, textOwner } from "../texts/text-owner";
import { countTrial } from "./trial-limit";

export interface SendTrial extends TextTarget {
  /** Fields that replace the saved ones, like those of a preview. */
  fields: MessageTextFields | undefined;
  /** A sample person whose data replaces the author's. */
  sample?: SamplePerson;
  /** The client's IP address. */
  address?: string;
}

/** Sends a trial to the caller, who is its author. */
export async function sendTrial(
  ctx: OriginContext,
  request: SendTrial,
): Promise<{ id: string; recipient: string; language: Language } | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { type, language } = target.key;
  const { fields } = request;
  const inherited = await inheritedText(ctx, target, target.key);
  const { errors } = lintMessageText(type, fields ?? {}, inherited, await ownHosts(ctx, target.organizationId));
  if (errors.length > 0) return textRefusal(errors);
  const person = await findRecipient(ctx.db, ctx.origin.actor);
  const { sample } = request;
  const texts = { type, ownerId: target.ownerId, language, fields: fields && overInherited(fields, inherited), sample };
  const [message] = person ? trialMessage(person, definitionOf(type), texts) : [];
  if (!person || !message) return isShortMessage(type) ? noVerifiedPhone() : noVerifiedEmail();
  const tooMany = await countTrial(ctx, ctx.origin.actor, request.address);
  if (tooMany) return tooMany;
  const id = newId();
  await changeDirectory(ctx, (ctx) =>
    recordIn(ctx, {
      type: "user.trial_message.requested",
      object: person,
      state: async () => ({ payload: { messageType: type, language }, messages: [{ ...message, id }] }),
    }),
  );
  return { id, recipient: message.recipient, language };
}

const noVerifiedEmail = () =>
  failedPrecondition(
    "user.no_verified_email",
    "You have no verified email address to send it to. Confirm yours first.",
  );
const noVerifiedPhone = () =>
  failedPrecondition("user.no_verified_phone", "You have no verified phone number to send it to. Confirm yours first.");

const UUID = /^[0-9a-f-]{36}$/;

/** The delivery state of a trial. */
export interface TrialState {
  id: string;
  state: MessageState;
  /** The latest response of the mail server, verbatim; null before the first. */
  lastAnswer: string | null;
  attempts: number;
}

/**
 * Returns the state of a trial, only for the user who sent it, as the mail server's response may contain addresses.
 * @param organizationId undefined: a trial of the instance's texts
 */
export async function findTrial(
  ctx: Context,
  organizationId: string | undefined,
  { id, authorId }: { id: string; authorId: string },
): Promise<TrialState | ApiError> {
  const { ownerId } = await textOwner(ctx, organizationId);
  const found = UUID.test(id) ? await findOutboxMessage(ctx.db, id) : undefined;
  if (found?.userId !== authorId || found.organizationId !== ownerId) {
    return notFound("message.not_found", "This test message does not exist. Check its ID.");
  }
  const { state, lastAnswer, attempts } = found;
  return { id, state, lastAnswer, attempts };
}
