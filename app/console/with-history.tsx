// A page with the way to everything that happened to what it shows, for those who may read the audit log.
import type { ReactNode } from "react";
import type { EventFilters } from "../../components/console/history/event";
import { HistoryLink } from "../../components/console/history/history-link";
import type { PageContext } from "./page-of";

/**
 * @param filters what the log is searched for
 * @param level whose log it is
 */
export function withHistory(
  { viewer, organization }: Pick<PageContext, "viewer" | "organization">,
  filters: EventFilters,
  content: ReactNode,
  level: "organization" | "instance" = "organization",
): ReactNode {
  if (!viewer.pages.includes(level === "instance" ? "instance_events" : "events")) return content;
  return (
    <>
      <HistoryLink organizationId={level === "instance" ? undefined : organization.id} filters={filters} />
      {content}
    </>
  );
}
