// The page of the live sessions of a level.
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { searchFrom } from "../../components/console/calls/list";
import { SessionList } from "../../components/console/operations/session-list";
import { ListInstanceSessions, ListSessions } from "../../shared/generated/operations";
import { pageAddress } from "../../shared/pages";
import type { PageContext } from "./page-of";
import { toggledColumns } from "./toggled-columns";

export async function sessionsPage(page: "instance_sessions" | "sessions", context: PageContext) {
  const { viewer, organization, search } = context;
  const t = await getTranslations();
  const isInstance = page === "instance_sessions";
  const body = searchFrom(search.page);
  const found = await viewer.call(isInstance ? ListInstanceSessions : ListSessions, { body });
  if (!found.ok) notFound();
  return (
    <SessionList
      title={t(`pages.${page}`)}
      path={pageAddress(page, organization.id)}
      list={found.body}
      isFirstPage={search.page === undefined}
      currentSessionId={viewer.user.sessionId}
      mayEnd={(isInstance ? viewer : organization).permissions.has("session.delete")}
      toggled={await toggledColumns("sessions")}
    />
  );
}
