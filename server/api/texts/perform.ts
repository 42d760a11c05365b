/** Performs a text operation for every wire format: the same caller, use case and answer. */
import { authenticateCaller } from "../../access/caller";
import type { Context } from "../../context";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { type CustomText, readCustomText, readDefaultText } from "../../texts/read-message-text";
import { resetMessageText } from "../../texts/reset-message-text";
import { type MessageTextSet, setMessageText } from "../../texts/set-message-text";
import type { TextOperation } from "./operations";

export interface TextRequest {
  /** Headers, or metadata of the same names. */
  authorization: string | undefined;
  organizationId: string | undefined | ApiError;
  ifMatch: string | undefined;
  language: string;
  /** The body of a set, read once the caller is known: parsed JSON, undefined, or an ApiError. */
  body(): Promise<unknown>;
  requestId?: string;
}

export type TextAnswer = { customText: CustomText } | (Pick<MessageTextSet, "details"> & Partial<MessageTextSet>);

export async function performTextOperation(
  ctx: Context,
  { kind, level, type }: TextOperation,
  request: TextRequest,
): Promise<TextAnswer | ApiError> {
  const caller = await authenticateCaller(ctx, request.authorization);
  if (isApiError(caller)) return caller;
  const { organizationId, language, ifMatch, requestId } = request;
  if (isApiError(organizationId)) return organizationId;
  const target = { level, type, organizationId, language };
  switch (kind) {
    case "readDefault":
      return readDefaultText(ctx, caller, target);
    case "read":
      return readCustomText(ctx, caller, target);
    case "set":
      return setMessageText(ctx, caller, { ...target, body: await request.body(), ifMatch, requestId });
    case "reset":
      return resetMessageText(ctx, caller, { ...target, ifMatch, requestId });
  }
}
