import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ActionButton } from "../../../../components/console/calls/action-button";
import { MAIL_VIEWS, MailDetail } from "../../../../components/console/mails/mail-detail";
import { pageOf } from "../../page-of";

const { metadata, Page } = pageOf("mail", async ({ viewer, params: { id = "" }, search }) => {
  const found = await viewer.mail(id);
  if ("code" in found) notFound(); // unknown, or of an organization that the visitor does not manage
  const view = MAIL_VIEWS.find((name) => name === search.view) ?? "html";
  const t = await getTranslations();
  const { message, resend: retry } = found;
  const action = { id: "resend", label: t("mail.resend"), done: t("mail.resent") };
  const resend = retry && <ActionButton {...action} look="primary" {...retry} at={{ id }} />;
  return <MailDetail message={message} view={view} resend={resend} />;
});
export const generateMetadata = metadata;
export default Page;
