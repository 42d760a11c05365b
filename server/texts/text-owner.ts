/**
 * The owner of the text that a request names: the instance or one organization. The operations declare who may read or
 * change it (api/texts/message-texts.ts), which is checked beforehand.
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { type Language, supportedLanguage } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import { type ApiError, isApiError } from "../protocol/api-error";

/** The page texts that a request names. */
export interface LoginTextTarget {
  /** Undefined: the texts of the instance. */
  organizationId: string | undefined;
  /** The value from the request, not validated. */
  language: string;
}

/** The message text that a request names. */
export interface TextTarget extends LoginTextTarget {
  type: MessageType;
}

/** The text that a request names; without a type, the page texts. */
export type AnyTextTarget = LoginTextTarget & { type?: MessageType };

/** The texts of one level (instance or organization) in one language: those of a message type, or the page texts. */
export interface LevelText {
  /** Organization id or instance id. */
  ownerId: string;
  /** Undefined: the page texts. */
  type: MessageType | undefined;
  language: Language;
}

/** The text of a message type at one level and in one language. */
export type LevelMessageText = LevelText & { type: MessageType };

/** The texts that a level itself has set, by the name of the field or page text; none is empty. */
export type OwnText = Readonly<Record<string, string>>;

export interface TextOwner {
  /** Organization id or instance id. */
  ownerId: string;
  instanceId: string;
  /** Undefined at instance level. */
  organizationId?: string;
}

/** Returns the owner. @param organizationId undefined: the owner is the instance */
export async function textOwner(ctx: Context, organizationId: string | undefined): Promise<TextOwner> {
  const instanceId = (await findInstance(ctx)).id;
  return { ownerId: organizationId ?? instanceId, instanceId, organizationId };
}

/** Returns the owner and the key of the text that a request names; its language is in canonical form (rule TEXT-5). */
export async function findTarget<Target extends AnyTextTarget>(
  ctx: Context,
  { organizationId, type, language: tag }: Target,
): Promise<(TextOwner & { key: LevelText & { type: Target["type"] } }) | ApiError> {
  const language = await supportedLanguage(ctx, tag);
  if (isApiError(language)) return language;
  const owner = await textOwner(ctx, organizationId);
  return { ...owner, key: { ownerId: owner.ownerId, type, language } };
}
