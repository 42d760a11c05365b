import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ActionButton } from "../../../components/console/calls/action-button";
import { mailFilters, mailsWanted } from "../../../components/console/mails/mail-filters";
import { MailList } from "../../../components/console/mails/mail-list";
import { recentlyFailed } from "../../../components/console/operations/statistics";
import { GetInstanceStatistics, GetStatistics } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const PAGE = 25;

const { metadata, Page } = pageOf("mail", async ({ viewer, search, timeZone }) => {
  const t = await getTranslations();
  const pageToken = search.page;
  const filters = mailFilters(search);
  const types = viewer.messageGroups.flatMap((group) => group.types);
  const { state, ...wanted } = mailsWanted(filters, types);
  const at = (day: string | undefined) => (day === undefined ? undefined : Date.parse(day));
  const within = { from: at(wanted.from), to: at(wanted.to) };
  const [list, { sendsMail }, statistics] = await Promise.all([
    viewer.mails({ ...wanted, ...within, state, limit: PAGE, pageToken }),
    viewer.overview(),
    viewer.call(viewer.permissions.has("iam.read") ? GetInstanceStatistics : GetStatistics, { query: { timeZone } }),
  ]);
  if ("code" in list) notFound(); // not a page token of this service
  const operation = state === "failed" && list.messages.length > 0 ? viewer.resendMails : undefined;
  const action = { id: "resend-all", label: t("mail.resendAll"), done: t("mail.resentAll") };
  return (
    <MailList
      mails={list.messages}
      filters={filters}
      types={types}
      resend={operation && <ActionButton {...action} operation={operation} body={wanted} />}
      sendsMail={sendsMail}
      failed={statistics.ok ? recentlyFailed(statistics.body) : 0}
      isFirstPage={pageToken === undefined}
      nextPageToken={list.nextPageToken}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
