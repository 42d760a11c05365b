import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { MAIL_VIEWS, MailDetail } from "../../../../components/console/mail-detail";
import { NoAccess } from "../../../../components/console/notices";
import { currentDesk, mayOpen } from "../../desk";
import { Resend } from "./resend";

export async function generateMetadata() {
  const t = await getTranslations();
  return { title: mayOpen(await currentDesk(), "mail") ? t("pages.mail") : t("noAccess.title") };
}

interface Address {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ view?: string | string[] }>;
}

export default async function Page({ params, searchParams }: Address) {
  const desk = await currentDesk();
  if (!mayOpen(desk, "mail")) return <NoAccess name={desk.visitor.name} hasAccountPage={desk.hasAccountPage} />;
  const [{ id }, { view: wanted }] = await Promise.all([params, searchParams]);
  const found = await desk.mail(decodeURIComponent(id));
  if ("code" in found) notFound(); // unknown, or of an organization that is not his
  const view = MAIL_VIEWS.find((name) => name === wanted) ?? "html";
  const { message, resendPath } = found;
  return <MailDetail message={message} view={view} resend={resendPath && <Resend path={resendPath} />} />;
}
