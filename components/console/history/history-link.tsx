// Links from the page of an object to its events.
import { useTranslations } from "next-intl";
import { withQuery } from "../lists/pager";
import type { EventFilters } from "./event";
import { logAddress } from "./object-pages";

export interface HistoryLinkProps {
  /** The organization whose log is linked; undefined for that of the service. */
  organizationId: string | undefined;
  /** The filters of the log. */
  filters: EventFilters;
}

export function HistoryLink({ organizationId, filters }: HistoryLinkProps) {
  const t = useTranslations();
  const path = organizationId === undefined ? logAddress("instance", "") : logAddress("organization", organizationId);
  return (
    <a className="page-history" id="history" href={withQuery(path, filters)}>
      {t("history.title")}
    </a>
  );
}
