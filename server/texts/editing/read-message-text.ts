/**
 * Reads a message text as clients of such services expect it (rule TEXT-6). Instance, default: the built-in text.
 * Instance, custom: the instance's own over it. Organization, default: the text in force without the organization's.
 * Organization, custom: only the organization's own fields or, if it has none, the text in force.
 */
import type { Context } from "../../context";
import { baseOf } from "../../directory/policy/languages";
import type { Details } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { builtInText, type MessageText } from "../built-in";
import { inheritedText, overInherited } from "../inherited";
import { findOwnText } from "../level/level-text";
import { MESSAGE_FIELDS } from "../message-text";
import { findTarget, type OwnText, type TextTarget } from "../text-owner";

export interface CustomText extends MessageText {
  /** The details of the level's own text, whose sequence writers send in If-Match; "0" if there never was one. */
  details: Details;
  /** Whether the level has no text of its own. */
  isDefault: boolean;
}

/** Returns the text that applies without the level's own. */
export async function readDefaultText(
  ctx: Context,
  request: TextTarget,
): Promise<{ customText: CustomText } | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { key, instanceId } = target;
  const { details } = await findOwnText(ctx, { ...key, ownerId: instanceId });
  if (request.organizationId !== undefined) {
    return { customText: { ...(await inheritedText(ctx, target, key)), details, isDefault: true } };
  }
  // A built-in text has no history of changes.
  const never: Details = { ...details, sequence: "0" };
  return { customText: { ...builtInText(key.type, await baseOf(ctx, key.language)), details: never, isDefault: true } };
}

/** Returns the text of the level. */
export async function readCustomText(
  ctx: Context,
  request: TextTarget,
): Promise<{ customText: CustomText } | ApiError> {
  const target = await findTarget(ctx, request);
  if (isApiError(target)) return target;
  const { own, details } = await findOwnText(ctx, target.key);
  const isDefault = Object.keys(own).length === 0;
  if (!isDefault && request.organizationId !== undefined)
    return { customText: { ...complete(own), details, isDefault } };
  const inherited = await inheritedText(ctx, target, target.key);
  return { customText: { ...overInherited(own, inherited), details, isDefault } };
}

const complete = (own: OwnText) =>
  Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, own[field] ?? ""])) as MessageText;
