/** The secret part of a message: the code and the link that open an account or set a new password. */
import type { Context } from "../context";
import type { MessagePayload, SecretPart } from "../message-types/message";
import { definitionOf, type MessageType } from "../message-types/table";
import { CODE } from "../message-types/variable";
import { opensAccount, sampleValues } from "../texts/variables";

interface Wanted {
  type: MessageType;
  payload?: MessagePayload;
  withoutCodes?: boolean;
}

/** Replaces a code on the mail page. */
const HIDDEN = "••••••";

/**
 * Returns the code sealed in the payload, or a sample; undefined if the message has none, null if the code cannot be
 * unsealed.
 * @param isTrial whether samples replace missing values
 */
export function secretOf(ctx: Context, { type, payload }: Wanted, isTrial: boolean): SecretPart | undefined | null {
  if (payload?.sealed !== undefined) {
    const opened = ctx.secrets.open("mail", payload.sealed);
    return opened === undefined ? null : (JSON.parse(opened) as SecretPart);
  }
  return opensAccount(type) && isTrial ? { code: sampleValues(type).Code ?? CODE.sample, path: "/login" } : undefined;
}

/** Returns the code as the message shows it. */
export const shownSecret = ({ code }: SecretPart, { withoutCodes }: Wanted): string => (withoutCodes ? HIDDEN : code);

/** Returns the code and the link that set a new password, if the message shows them below its button. */
export function resetOf(ctx: Context, wanted: Wanted, secret: SecretPart | undefined) {
  if (!secret || !definitionOf(wanted.type).offersReset || wanted.payload?.withoutReset) return undefined;
  return { code: shownSecret(secret, wanted), url: `${ctx.config.baseUrl}${secretPath(secret, wanted)}` };
}

export function secretPath({ path }: SecretPart, { withoutCodes }: Wanted): string {
  return withoutCodes ? path.replace(/\?.*$/s, "") : path;
}

/** Returns the URL of a page that the sender named, which may contain the code anywhere. */
export const secretUrl = (url: string, { withoutCodes }: Wanted) => (withoutCodes ? new URL(url).origin : url);
