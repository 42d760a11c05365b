import { notFound } from "next/navigation";
import { MailList } from "../../../components/console/mail-list";
import { pageOf } from "../page-of";

const PAGE = 25;

const { metadata, Page } = pageOf("mail", async ({ desk, search: { page: pageToken } }) => {
  const [list, { sendsMail }] = await Promise.all([desk.mails({ limit: PAGE, pageToken }), desk.overview()]);
  if ("code" in list) notFound(); // not a page we made
  const { messages, nextPageToken } = list;
  const isFirstPage = pageToken === undefined;
  return <MailList mails={messages} sendsMail={sendsMail} isFirstPage={isFirstPage} nextPageToken={nextPageToken} />;
});
export const generateMetadata = metadata;
export default Page;
