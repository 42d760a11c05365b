/** Composes the message of a queued row. */
import type { Context } from "../context";
import { findLanguage } from "../directory/policy/languages";
import type { MessagePayload } from "../message-types/message";
import type { MessageType } from "../message-types/table";
import type { LeasedMessage } from "../storage/message/outbox";
import { isSamplePerson } from "../texts/sample-persons";
import { type ComposedMessage, composeMessage, type Uncomposable } from "./compose";
import { protectedReaderOf } from "./routes";

/** The reason why an attempt is impossible, now and later. */
export type Impossible = string;

/** Composes the message of a row. @param withoutCodes for readers who must not be able to use the codes */
export async function composeRow(
  ctx: Context,
  row: LeasedMessage,
  type: MessageType,
  withoutCodes: boolean,
): Promise<ComposedMessage | Uncomposable> {
  const { organizationId, userId, expiresAt } = row;
  const payload: MessagePayload = row.payload;
  if (userId === null && !payload.registrant) return "no such user"; // only trials have samples
  return composeMessage(ctx, {
    type,
    organizationId,
    userId: userId ?? undefined,
    payload,
    expiresAt: expiresAt ?? undefined,
    isTest: payload.isTest,
    language: payload.language === undefined ? undefined : await findLanguage(ctx, payload.language),
    fields: payload.fields,
    holder: protectedReaderOf(row),
    sample: isSamplePerson(payload.sample) ? payload.sample : undefined,
    withoutCodes,
  });
}
