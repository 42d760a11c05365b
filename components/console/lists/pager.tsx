// Links to the next and previous pages of a list. The page is `page` in the query, counted from 1.
import { useFormatter, useTranslations } from "next-intl";
import { COUNTED, PAGE_SIZE } from "../calls/list";

export interface PagerProps {
  /** The address of the list without its query. */
  path: string;
  /** The rest of the query: search, filters, order. */
  query: Readonly<Record<string, string | undefined>>;
  page: number;
  pageSize?: number;
  /** The number of entries that the operation returned. */
  total: number;
}

export function Pager({ path, query, page, pageSize = PAGE_SIZE, total }: PagerProps) {
  const t = useTranslations();
  const { number } = useFormatter();
  if (total === 0 && page === 1) return null; // the list itself shows that it is empty
  const last = Math.max(1, Math.ceil(total / pageSize));
  const address = (wanted: number) => withQuery(path, { ...query, page: wanted === 1 ? undefined : String(wanted) });
  return (
    <nav aria-label={t("frame.paging")} className="paging">
      <span>
        {total >= COUNTED
          ? t("frame.rangeOfMany", {
              from: number((page - 1) * pageSize + 1),
              to: number(page * pageSize),
              total: number(COUNTED),
            })
          : t("frame.range", {
              from: number(total === 0 ? 0 : (page - 1) * pageSize + 1),
              to: number(Math.min(total, page * pageSize)),
              total: number(total),
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

/** Returns an address with a query, without undefined values. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** Returns the page number of a query; 1 if it is not a positive number. */
export function pageNumber(page: string | undefined): number {
  return page !== undefined && /^[1-9]\d{0,5}$/.test(page) ? Math.min(Number(page), COUNTED / PAGE_SIZE) : 1;
}
