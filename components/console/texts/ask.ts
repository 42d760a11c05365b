// Calls operations for the editor: a failed connection is treated as a refusal.

import type { AnswerOf, Arguments, Declared, OperationName } from "../../../shared/declared";
import { type Answer, noAnswer } from "../../../shared/refusal";
import { type CallOptions, callOperation } from "../calls/call";

/** Performs an operation. Resolves to undefined if the request was cancelled. */
export async function ask<Name extends OperationName>(
  operation: Declared<Name>,
  ...[request]: Arguments<Name, CallOptions>
): Promise<Answer<AnswerOf<Name>> | undefined> {
  try {
    return await callOperation(operation, ...([request] as Arguments<Name, CallOptions>));
  } catch {
    if (request?.signal?.aborted) return undefined;
    return noAnswer();
  }
}
