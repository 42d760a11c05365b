import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { searchFrom } from "../../../components/console/calls/list";
import { SessionList } from "../../../components/console/operations/session-list";
import { ListInstanceSessions } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { pageOf } from "../page-of";
import { toggledColumns } from "../toggled-columns";

const { metadata, Page } = pageOf("instance_sessions", async ({ viewer, organization, search }) => {
  const t = await getTranslations();
  const body = searchFrom(search.page);
  const found = await viewer.call(ListInstanceSessions, { body });
  if (!found.ok) notFound();
  return (
    <SessionList
      title={t("pages.instance_sessions")}
      path={pageAddress("instance_sessions", organization.id)}
      list={found.body}
      isFirstPage={search.page === undefined}
      currentSessionId={viewer.user.sessionId}
      mayEnd={viewer.permissions.has("session.delete")}
      toggled={await toggledColumns("sessions")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
