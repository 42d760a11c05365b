/** Lists of the directory as answers. */
import type { Context } from "../../context";
import type { PagedList } from "../../directory/listing";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { listAnswer } from "./lists";
import type { ListQuery } from "./schemas";

/** The answer of a search: the page that was asked for, or the refusal to show the list. */
export async function pagedAnswer<Row, Item>(
  ctx: Context,
  query: ListQuery | undefined,
  list: PagedList<Row> | ApiError,
  item: (row: Row) => Item,
) {
  return isApiError(list) ? list : listAnswer(ctx, query, { ...list, items: (rows) => rows.map(item) });
}
