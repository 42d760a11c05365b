/**
 * Previews a message with the code that also sends it: a saved or unsaved text, with sample values or those of a user.
 * Nothing is sent or stored. A user's data is shown only to that user and to callers who may read users of their
 * organization (attack: reading strangers' names through a preview).
 */
import type { Context } from "../context";
import { hasPermission } from "../directory/member/permissions";
import { type AccountHolder, mayOpenAccount } from "../directory/member/privileges";
import type { Language } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import { type ApiError, internal, isApiError, notFound } from "../protocol/api-error";
import { segmentsOf, type TextSegments } from "../protocol/text-segments";
import { findRecipient } from "../storage/message/recipients";
import { inheritedText, overInherited } from "../texts/inherited";
import { findOwnText } from "../texts/level/level-text";
import { lintMessageText } from "../texts/lint";
import { isShortMessage, type MessageTextFields } from "../texts/message-text";
import { ownHosts } from "../texts/own-hosts";
import type { SamplePerson } from "../texts/sample-persons";
import type { TextError, TextWarning } from "../texts/text-issue";
import { findTarget, type TextOwner, type TextTarget } from "../texts/text-owner";
import { takesPower } from "../texts/variables";
import { composeMessage } from "./compose";

/** The user who requests the preview. */
interface Author {
  userId: string;
}

export interface PreviewMessage extends TextTarget {
  /** Fields that replace the saved ones; an empty field falls back. Undefined: the saved text. */
  fields: MessageTextFields | undefined;
  /** The recipient; undefined: a sample person. */
  userId?: string;
  sample?: SamplePerson;
}

export interface Preview {
  language: Language;
  subject: string;
  preHeader: string;
  html: string;
  text: string;
  /** The text alone, for messages to phones. */
  phoneText?: string;
  /** The number of segments, which determines the cost. */
  segments?: TextSegments;
  /** Why the text could not be saved. */
  errors: readonly TextError[];
  warnings: readonly TextWarning[];
}

export async function previewMessage(
  ctx: Context,
  caller: Author,
  request: PreviewMessage,
): Promise<Preview | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { key, ownerId } = target;
  const { fields: given, userId, sample } = request;
  if (userId !== undefined && !(await mayShow(ctx, caller, target, userId))) {
    return notFound("user.not_found", "This person does not exist here. Check the ID.", { field: "userId" });
  }
  const inherited = await inheritedText(ctx, target, key);
  const fields = given ?? (await findOwnText(ctx, key)).own;
  const holder = userId === undefined ? undefined : await holderOf(ctx, key.type, userId);
  const composed = await composeMessage(ctx, {
    type: key.type,
    organizationId: ownerId,
    language: key.language,
    // The edited fields replace the saved ones; an empty field shows the inherited text.
    fields: given && (await wouldReach(ctx, caller, target, holder)) ? overInherited(given, inherited) : undefined,
    holder,
    userId,
    sample,
    withSamples: true,
  });
  if (typeof composed === "string")
    return internal("message.not_composed", "The message could not be made. Try again in a moment.");
  const { language, subject, preHeader, html, text } = composed;
  const issues = lintMessageText(key.type, fields, inherited, await ownHosts(ctx, target.organizationId));
  const phoneText = isShortMessage(key.type) ? composed.phoneText : undefined;
  const segments = phoneText === undefined ? undefined : segmentsOf(phoneText);
  return { language, subject, preHeader, html, text, phoneText, segments, ...issues };
}

/** Returns the user over whom the text takes power. */
async function holderOf(ctx: Context, type: MessageType, userId: string): Promise<AccountHolder | undefined> {
  const person = takesPower(type) ? await findRecipient(ctx.db, userId) : undefined;
  return person && { userId, email: isShortMessage(type) ? null : person.email };
}

/** Returns whether the user would receive the text if the caller saved it now. */
async function wouldReach(
  ctx: Context,
  caller: Author,
  { organizationId }: TextOwner,
  holder: AccountHolder | undefined,
): Promise<boolean> {
  if (!holder || organizationId === undefined) return true;
  return mayOpenAccount(ctx, { organizationId, changedBy: caller.userId }, holder);
}

async function mayShow(ctx: Context, caller: Author, { organizationId }: TextOwner, userId: string): Promise<boolean> {
  const person = userId.length <= 200 && !userId.includes("\0") ? await findRecipient(ctx.db, userId) : undefined;
  if (!person || (organizationId !== undefined && person.organizationId !== organizationId)) return false;
  if (person.id === caller.userId) return true;
  return hasPermission(ctx, caller.userId, "user.read", { organizationId: person.organizationId });
}
