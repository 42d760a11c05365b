import { GetMailSettings } from "../../../../../components/console/generated/operations";
import { MailSettingsPage } from "../../../../../components/console/settings/mail-settings-page";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("mail_settings", async ({ viewer, organization }) => {
  const found = await viewer.call(GetMailSettings);
  const settings = found.ok ? found.body.mailSettings : undefined;
  return <MailSettingsPage settings={settings} mayWrite={organization.permissions.has("policy.write")} />;
});
export const generateMetadata = metadata;
export default Page;
