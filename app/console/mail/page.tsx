import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { MailList } from "../../../components/console/mail-list";
import { NoAccess } from "../../../components/console/notices";
import { currentDesk, mayOpen } from "../desk";

const PAGE = 25;

export async function generateMetadata() {
  const t = await getTranslations();
  return { title: mayOpen(await currentDesk(), "mail") ? t("pages.mail") : t("noAccess.title") };
}

export default async function Page({ searchParams }: { searchParams: Promise<{ page?: string | string[] }> }) {
  const desk = await currentDesk();
  if (!mayOpen(desk, "mail")) return <NoAccess name={desk.visitor.name} hasAccountPage={desk.hasAccountPage} />;
  const { page } = await searchParams;
  const pageToken = typeof page === "string" ? page : undefined;
  const [list, { sendsMail }] = await Promise.all([desk.mails({ limit: PAGE, pageToken }), desk.overview()]);
  if ("code" in list) notFound(); // not a page we made
  const { messages, nextPageToken } = list;
  const isFirstPage = pageToken === undefined;
  return <MailList mails={messages} sendsMail={sendsMail} isFirstPage={isFirstPage} nextPageToken={nextPageToken} />;
}
