/**
 * Whose text a request means: the instance's, or one organization's. Who may read or change it is declared on the
 * operations (api/message-texts.ts) and asked before any of this.
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
  /** As given, not validated. */
  language: string;
}

export interface TextOwner {
  /** Organization id or instance id. */
  ownerId: string;
  instanceId: string;
  /** Undefined at instance level. */
  organizationId?: string;
}

/** @param organizationId undefined: the owner is the instance */
export async function textOwner(ctx: Context, organizationId: string | undefined): Promise<TextOwner> {
  const instanceId = (await findInstance(ctx)).id;
  return { ownerId: organizationId ?? instanceId, instanceId, organizationId };
}

/** The owner and the key of the text that a request means; its language is in canonical form (rule TEXT-5). */
export async function findTarget(
  ctx: Context,
  { organizationId, type, language: tag }: TextTarget,
): Promise<(TextOwner & { key: OverrideKey }) | ApiError> {
  const language = await supportedLanguage(ctx, tag);
  if (isApiError(language)) return language;
  const owner = await textOwner(ctx, organizationId);
  return { ...owner, key: { ownerId: owner.ownerId, type, language } };
}
