/**
 * The owner of the text that a request names: the instance or one organization. The operations declare who may read or
 * change it (api/texts/message-texts.ts), which is checked beforehand.
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { supportedLanguage } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import { type ApiError, isApiError } from "../protocol/api-error";
import type { OverrideKey } from "./override";

/** The text that a request names. */
export interface TextTarget {
  /** Undefined: the text of the instance. */
  organizationId: string | undefined;
  type: MessageType;
  /** The value from the request, not validated. */
  language: string;
}

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
export async function findTarget(
  ctx: Context,
  { organizationId, type, language: tag }: TextTarget,
): Promise<(TextOwner & { key: OverrideKey }) | ApiError> {
  const language = await supportedLanguage(ctx, tag);
  if (isApiError(language)) return language;
  const owner = await textOwner(ctx, organizationId);
  return { ...owner, key: { ownerId: owner.ownerId, type, language } };
}
