// Calls operations for the editor: a failed connection is treated as a refusal.
import type { AnswerOf, Arguments, Declared, OperationName } from "../../../shared/declared";
import { type Answer, noAnswer } from "../../../shared/refusal";
import { type CallOptions, callOperation } from "../calls/call";

export const ask = <Name extends OperationName>(
  operation: Declared<Name>,
  ...request: Arguments<Name, CallOptions>
): Promise<Answer<AnswerOf<Name>>> => callOperation(operation, ...request).catch(noAnswer);
