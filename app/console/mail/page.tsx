import { notFound } from "next/navigation";
import { GetInstanceStatistics, GetStatistics } from "../../../components/console/generated/operations";
import { MailList } from "../../../components/console/mail-list";
import { recentlyFailed } from "../../../components/console/operations/statistics";
import { pageOf } from "../page-of";

const PAGE = 25;

const { metadata, Page } = pageOf("mail", async ({ viewer, search: { page: pageToken } }) => {
  const [list, { sendsMail }, statistics] = await Promise.all([
    viewer.mails({ limit: PAGE, pageToken }),
    viewer.overview(),
    viewer.call(viewer.permissions.has("iam.read") ? GetInstanceStatistics : GetStatistics),
  ]);
  if ("code" in list) notFound(); // not a page we made
  return (
    <MailList
      mails={list.messages}
      sendsMail={sendsMail}
      failed={statistics.ok ? recentlyFailed(statistics.body) : 0}
      isFirstPage={pageToken === undefined}
      nextPageToken={list.nextPageToken}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
