// From one page of a list to the next. A list is asked for with `page` in the query, counted from 1.
import { useTranslations } from "next-intl";
import { COUNTED, PAGE_SIZE } from "./list";

export interface PagerProps {
  /** Of the list without its query. */
  path: string;
  /** What else stands in the query: search, filters, order. */
  query: Readonly<Record<string, string | undefined>>;
  page: number;
  pageSize?: number;
  /** As the operation counted. */
  total: number;
}

export function Pager({ path, query, page, pageSize = PAGE_SIZE, total }: PagerProps) {
  const t = useTranslations();
  if (total === 0 && page === 1) return null; // what is listed says itself that there is nothing
  const last = Math.max(1, Math.ceil(total / pageSize));
  const address = (wanted: number) => withQuery(path, { ...query, page: wanted === 1 ? undefined : String(wanted) });
  return (
    <nav aria-label={t("frame.paging")} className="paging">
      <span>
        {total >= COUNTED
          ? t("frame.rangeOfMany", { from: (page - 1) * pageSize + 1, to: page * pageSize, total: COUNTED })
          : t("frame.range", {
              from: total === 0 ? 0 : (page - 1) * pageSize + 1,
              to: Math.min(total, page * pageSize),
              total,
            })}
      </span>
      {page > 1 && (
        <a rel="prev" href={address(page - 1)}>
          {t("frame.previous")}
        </a>
      )}
      {page < last && (
        <a rel="next" href={address(page + 1)}>
          {t("frame.next")}
        </a>
      )}
    </nav>
  );
}

/** An address with those values of the query that there are. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The page that a query asks for; 1 for anything else than a count. */
export function pageNumber(page: string | undefined): number {
  return page !== undefined && /^[1-9]\d{0,5}$/.test(page) ? Math.min(Number(page), COUNTED / PAGE_SIZE) : 1;
}
