// Leads from the page of something to everything that happened to it.
import { useTranslations } from "next-intl";
import { withQuery } from "../pager";
import type { EventFilters } from "./event";
import { logAddress } from "./object-pages";

export interface HistoryLinkProps {
  /** Whose log it is; undefined: that of the service. */
  organizationId: string | undefined;
  /** What the log is searched for. */
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
