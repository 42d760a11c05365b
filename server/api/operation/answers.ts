/** Answers of operations that change something. */
import type { Context } from "../../context";
import type { PagedList } from "../../directory/listing";
import type { AggregateType } from "../../events/catalogue";
import { type Details, findDetails } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { listAnswer } from "./lists";
import type { ListQuery } from "./schemas";

/** The details of an object after the change. Throws if nothing was ever recorded about the object. */
export async function changedAnswer(ctx: Context, type: AggregateType, id: string): Promise<{ details: Details }> {
  const details = await findDetails(ctx, type, id);
  if (!details) throw new Error(`nothing was ever recorded of this ${type}`);
  return { details };
}

/** Converts the result of a use case to a response; errors are passed through. */
export async function answered<Outcome, Answer>(
  outcome: Promise<Outcome>,
  toAnswer: (value: Exclude<Outcome, ApiError>) => Answer | Promise<Answer>,
): Promise<Answer | Extract<Outcome, ApiError>> {
  const value = await outcome;
  return isApiError(value) ? (value as Extract<Outcome, ApiError>) : toAnswer(value as Exclude<Outcome, ApiError>);
}

/** Returns the response of a change that returned its details, or the error. */
export function detailsAnswer(outcome: Details | ApiError): { details: Details } | ApiError {
  return isApiError(outcome) ? outcome : { details: outcome };
}

/** Returns the requested page of a list, or the error. */
export async function pagedAnswer<Row, Item>(
  ctx: Context,
  query: ListQuery | undefined,
  list: PagedList<Row> | ApiError,
  item: (row: Row) => Item,
) {
  return isApiError(list) ? list : listAnswer(ctx, query, { ...list, items: (rows) => rows.map(item) });
}
