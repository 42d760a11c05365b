// A page with a link to the events of its object, for visitors who may read the audit log.
import type { ReactNode } from "react";
import type { EventFilters } from "../../components/console/history/event";
import { HistoryLink } from "../../components/console/history/history-link";
import type { PageContext } from "./page-of";

/**
 * Renders a page with the link.
 * @param filters the filters of the log
 * @param level the level of the log
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
