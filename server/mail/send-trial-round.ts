/**
 * Sends one message in every language at once to its author's own verified address, to check them in a mail program:
 * the saved text, and the unsaved one for the language that is being edited. Only mails, as text messages cost money.
 * Limited more strictly than single trials (attack: mail bombs).
 */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { allowedLanguages, type Language, languagesOf } from "../directory/policy/languages";
import { type OriginContext, recordIn } from "../events/record";
import { trialMessage } from "../message-types/message";
import { definitionOf, type MessageType } from "../message-types/table";
import { type ApiError, failedPrecondition, isApiError } from "../protocol/api-error";
import { findRecipient } from "../storage/message/recipients";
import { checkMessageText } from "../texts/check-message-text";
import { inheritedText, overInherited } from "../texts/inherited";
import type { MessageTextFields } from "../texts/message-text";
import { findTarget, type TextTarget, textOwner } from "../texts/text-owner";
import { countTrial } from "./trial-limit";

export interface TrialRound {
  /** Undefined: the instance's texts. */
  organizationId: string | undefined;
  type: MessageType;
  /** The unsaved text of one language. */
  unsaved?: { language: string; fields: MessageTextFields };
  /** The client's IP address. */
  address?: string;
}

/** Sends the trials to the caller, who is their author. */
export async function sendTrialRound(
  ctx: OriginContext,
  { organizationId, type, unsaved, address }: TrialRound,
): Promise<{ recipient: string; languages: readonly Language[] } | ApiError> {
  const { ownerId } = await textOwner(ctx, organizationId);
  const written =
    unsaved && (await readUnsaved(ctx, { organizationId, type, language: unsaved.language }, unsaved.fields));
  if (written && isApiError(written)) return written;
  const allowed = await allowedLanguages(ctx);
  const languages = (await languagesOf(ctx)).filter(
    (language) => allowed.includes(language) || language === written?.language,
  );
  const person = await findRecipient(ctx.db, ctx.origin.actor);
  const messages = languages.flatMap((language) =>
    person
      ? trialMessage(person, definitionOf(type), {
          type,
          ownerId,
          language,
          ...(language === written?.language && { fields: written.fields }),
        })
      : [],
  );
  const [first] = messages;
  if (!person || !first) {
    return failedPrecondition(
      "user.no_verified_email",
      "You have no verified email address to send it to. Confirm yours first.",
    );
  }
  const tooMany = await countTrial(ctx, ctx.origin.actor, address, true);
  if (tooMany) return tooMany;
  await changeDirectory(ctx, (ctx) =>
    recordIn(ctx, {
      type: "user.trial_message.requested",
      object: person,
      state: async () => ({ payload: { messageType: type, language: languages.join(", ") }, messages }),
    }),
  );
  return { recipient: first.recipient, languages };
}

/** Returns the complete unsaved text, or the error that saving it would cause. */
async function readUnsaved(ctx: Context, wanted: TextTarget, fields: MessageTextFields) {
  const target = await findTarget(ctx, wanted);
  if (isApiError(target)) return target;
  const { key } = target;
  const checked = await checkMessageText(ctx, target, key, fields);
  if (isApiError(checked)) return checked;
  return { language: key.language, fields: overInherited(fields, await inheritedText(ctx, target, key)) };
}
