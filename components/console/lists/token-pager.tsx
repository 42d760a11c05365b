// Links to older entries of a list that grows at its top, and back to the newest.
import { useTranslations } from "next-intl";
import { withQuery } from "./pager";

export interface TokenPagerProps {
  /** The address of the list without its query. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  isFirstPage: boolean;
  nextPageToken: string | undefined;
}

export function TokenPager({ path, query = {}, isFirstPage, nextPageToken }: TokenPagerProps) {
  const t = useTranslations();
  if (isFirstPage && nextPageToken === undefined) return null;
  return (
    <nav aria-label={t("frame.paging")} className="paging">
      {!isFirstPage && <a href={withQuery(path, query)}>{t("frame.newest")}</a>}
      {nextPageToken !== undefined && (
        <a rel="next" href={withQuery(path, { ...query, page: nextPageToken })}>
          {t("frame.older")}
        </a>
      )}
    </nav>
  );
}
