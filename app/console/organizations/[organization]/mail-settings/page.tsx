import { MailSettingsPage } from "../../../../../components/console/settings/mail-settings-page";
import { GetMailSettings, ListEmailProviders } from "../../../../../shared/generated/operations";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("mail_settings", async ({ viewer, organization }) => {
  const [found, listed] = await Promise.all([
    viewer.call(GetMailSettings),
    viewer.call(ListEmailProviders, { body: {} }),
  ]);
  const settings = found.ok ? found.body.mailSettings : undefined;
  const providers = listed.ok ? listed.body.result : [];
  const mayWrite = organization.permissions.has("policy.write");
  return <MailSettingsPage settings={settings} providers={providers} mayWrite={mayWrite} />;
});
export const generateMetadata = metadata;
export default Page;
