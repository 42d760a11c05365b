// The mail servers and webhooks that send mails, of the service or of an organization. Secrets are never shown again.
import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import {
  ActivateEmailProvider,
  ActivateInstanceEmailProvider,
  AddEmailProviderHTTP,
  AddEmailProviderSMTP,
  AddInstanceEmailProviderHTTP,
  AddInstanceEmailProviderSMTP,
  DeactivateEmailProvider,
  DeactivateInstanceEmailProvider,
  GetEmailProviderById,
  GetInstanceEmailProviderById,
  RemoveEmailProvider,
  RemoveInstanceEmailProvider,
  TestEmailProvider,
  TestInstanceEmailProvider,
  UpdateEmailProviderHTTP,
  UpdateEmailProviderSMTP,
  UpdateInstanceEmailProviderHTTP,
  UpdateInstanceEmailProviderSMTP,
} from "../../../shared/generated/operations";
import { SwitchField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { AddWebhook, DescriptionField, ProviderCard } from "./provider-parts";
import { DkimRecord, ServerKeyFields } from "./server-key-fields";

const OPERATIONS = {
  instance: {
    activate: ActivateInstanceEmailProvider,
    deactivate: DeactivateInstanceEmailProvider,
    remove: RemoveInstanceEmailProvider,
    test: TestInstanceEmailProvider,
    read: GetInstanceEmailProviderById,
    addServer: AddInstanceEmailProviderSMTP,
    changeServer: UpdateInstanceEmailProviderSMTP,
    addWebhook: AddInstanceEmailProviderHTTP,
    changeWebhook: UpdateInstanceEmailProviderHTTP,
  },
  organization: {
    activate: ActivateEmailProvider,
    deactivate: DeactivateEmailProvider,
    remove: RemoveEmailProvider,
    test: TestEmailProvider,
    read: GetEmailProviderById,
    addServer: AddEmailProviderSMTP,
    changeServer: UpdateEmailProviderSMTP,
    addWebhook: AddEmailProviderHTTP,
    changeWebhook: UpdateEmailProviderHTTP,
  },
} as const;
type Level = keyof typeof OPERATIONS;
export type EmailProvider = Schemas["EmailProvider"];

export interface EmailProvidersProps {
  level: Level;
  providers: readonly EmailProvider[];
  mayWrite: boolean;
}

/** The buttons that add a provider, and a card for each. */
export function EmailProviders({ level, providers, mayWrite }: EmailProvidersProps) {
  const t = useTranslations();
  const { addServer, addWebhook } = OPERATIONS[level];
  return (
    <>
      {mayWrite && (
        <div className="buttons">
          <FormDialog
            submit={t("settings.save")}
            done={t("settings.saved")}
            id="add-server"
            label={t("settings.mailAddServer")}
            title={t("settings.mailAddServer")}
            operation={addServer}
          >
            <ServerFields />
          </FormDialog>
          <AddWebhook operation={addWebhook} />
        </div>
      )}
      {providers.map((provider) => (
        <Provider key={provider.id} level={level} provider={provider} mayWrite={mayWrite} />
      ))}
    </>
  );
}

/** The page of the service; an organization's page also has its mail server. */
export function InstanceEmailProvidersPage(props: Omit<EmailProvidersProps, "level">) {
  const t = useTranslations();
  return (
    <>
      <h1>{t("pages.instance_mail")}</h1>
      {!props.providers.some(isActive) && <p>{t("settings.mailKept")}</p>}
      <EmailProviders level="instance" {...props} />
    </>
  );
}

const isActive = ({ state }: EmailProvider): boolean => state === "EMAIL_PROVIDER_ACTIVE";

/** Returns the name of a provider: its description, else its host or endpoint. */
const nameOf = ({ description, smtp, http }: EmailProvider): string =>
  description || smtp?.host || http?.endpoint || "";

function Provider({ level, provider, mayWrite }: { level: Level; provider: EmailProvider; mayWrite: boolean }) {
  const t = useTranslations();
  const operations = OPERATIONS[level];
  const { id, smtp, http, description } = provider;
  const at = { id };
  return (
    <ProviderCard
      id={id}
      name={nameOf(provider)}
      isActive={isActive(provider)}
      operations={operations}
      mayWrite={mayWrite}
      webhook={http && { ...http, description }}
      facts={[
        [t("settings.mailServer"), smtp && <code>{smtp.host}</code>],
        [t("settings.mailUser"), smtp?.user && <code>{smtp.user}</code>],
        [t("settings.sender"), smtp && <bdi>{[smtp.senderName, smtp.senderAddress].filter(Boolean).join(" · ")}</bdi>],
        [t("settings.mailTokenEndpoint"), smtp?.xoauth2 && <code>{smtp.xoauth2.tokenEndpoint}</code>],
        [t("settings.mailDkimRecord"), smtp?.dkim && <DkimRecord {...smtp.dkim} />],
        [t("settings.smsEndpoint"), http && <code>{http.endpoint}</code>],
      ]}
    >
      <FormDialog
        at={at}
        id={`test-${id}`}
        label={t("settings.tryMail")}
        title={t("settings.tryMail")}
        description={t("settings.tryMailText")}
        submit={t("settings.tryMail")}
        operation={operations.test}
        done={t("settings.smsTried")}
      />
      {smtp && (
        <FormDialog
          at={at}
          id={`change-${id}`}
          label={t("directory.change")}
          title={nameOf(provider)}
          submit={t("settings.save")}
          done={t("settings.saved")}
          operation={operations.changeServer}
          review={{
            wayBack: { read: operations.read, at, of: ["config", "config.smtp"], lost: secretsWith(smtp) },
          }}
        >
          <ServerFields smtp={smtp} description={description} />
        </FormDialog>
      )}
    </ProviderCard>
  );
}

/**
 * Returns the secrets that a change loses. A password is only kept with the server and the user that it was set for.
 */
const secretsWith = ({ hasPassword, xoauth2 }: NonNullable<EmailProvider["smtp"]>): readonly string[] => [
  ...["password", "xoauth2", "dkim"],
  ...(hasPassword || xoauth2 ? ["host", "tls", "user"] : []),
];

function ServerFields({ smtp, description }: { smtp?: EmailProvider["smtp"]; description?: string }) {
  const t = useTranslations();
  return (
    <>
      <TextField
        name="host"
        label={t("settings.mailHost")}
        hint={t("settings.mailHostHint")}
        value={smtp?.host}
        required
        maxLength={300}
      />
      <SwitchField name="tls" label={t("settings.mailTls")} isOn={smtp?.tls ?? true} />
      <TextField name="user" label={t("settings.mailUser")} value={smtp?.user} maxLength={300} keepsEmpty />
      <TextField
        name="password"
        label={t("settings.password")}
        hint={smtp?.hasPassword && t("settings.mailPasswordKept")}
        type="password"
        autoComplete="new-password"
        maxLength={500}
      />
      <TextField
        name="senderAddress"
        label={t("settings.mailSenderAddress")}
        inputMode="email"
        value={smtp?.senderAddress}
        required
        maxLength={200}
      />
      <TextField
        name="senderName"
        label={t("settings.mailSenderName")}
        value={smtp?.senderName}
        maxLength={200}
        keepsEmpty
      />
      <TextField
        name="replyToAddress"
        label={t("settings.mailReplyTo")}
        inputMode="email"
        value={smtp?.replyToAddress}
        maxLength={200}
        keepsEmpty
      />
      <ServerKeyFields xoauth2={smtp?.xoauth2} dkim={smtp?.dkim} />
      <DescriptionField value={description} />
    </>
  );
}
