/** Answers of operations that change something. */
import type { Context } from "../../context";
import type { AggregateType } from "../../events/catalogue";
import { findDetails } from "../../events/details";
import type { Details } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";

/** The details of an object after the change. Throws if nothing was ever recorded about the object. */
export async function changedAnswer(ctx: Context, type: AggregateType, id: string): Promise<{ details: Details }> {
  const details = await findDetails(ctx, type, id);
  if (!details) throw new Error(`nothing was ever recorded of this ${type}`);
  return { details };
}

/** What a use case answers, as a response; its refusal stays. */
export async function answered<Outcome, Answer>(
  outcome: Promise<Outcome>,
  toAnswer: (value: Exclude<Outcome, ApiError>) => Answer | Promise<Answer>,
): Promise<Answer | Extract<Outcome, ApiError>> {
  const value = await outcome;
  return isApiError(value) ? (value as Extract<Outcome, ApiError>) : toAnswer(value as Exclude<Outcome, ApiError>);
}

/** The answer for a change that returned its details, or its refusal. */
export function detailsAnswer(outcome: Details | ApiError): { details: Details } | ApiError {
  return isApiError(outcome) ? outcome : { details: outcome };
}
