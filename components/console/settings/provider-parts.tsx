// The common parts of the provider pages of every channel: a card with the state, and the buttons below it.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type {
  ActivateEmailProvider,
  ActivateInstanceEmailProvider,
  ActivateInstanceSMSProvider,
  ActivateSMSProvider,
  AddEmailProviderHTTP,
  AddInstanceEmailProviderHTTP,
  AddInstanceSMSProviderHTTP,
  AddSMSProviderHTTP,
  DeactivateEmailProvider,
  DeactivateInstanceEmailProvider,
  DeactivateInstanceSMSProvider,
  DeactivateSMSProvider,
  GetEmailProviderById,
  GetInstanceEmailProviderById,
  GetInstanceSMSProviderById,
  GetSMSProviderById,
  RemoveEmailProvider,
  RemoveInstanceEmailProvider,
  RemoveInstanceSMSProvider,
  RemoveSMSProvider,
  UpdateEmailProviderHTTP,
  UpdateInstanceEmailProviderHTTP,
  UpdateInstanceSMSProviderHTTP,
  UpdateSMSProviderHTTP,
} from "../../../shared/generated/operations";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { Facts, type FactsProps } from "../parts/facts";

/** The operations of one channel at one level. */
export interface ProviderOperations {
  activate:
    | typeof ActivateEmailProvider
    | typeof ActivateInstanceEmailProvider
    | typeof ActivateSMSProvider
    | typeof ActivateInstanceSMSProvider;
  deactivate:
    | typeof DeactivateEmailProvider
    | typeof DeactivateInstanceEmailProvider
    | typeof DeactivateSMSProvider
    | typeof DeactivateInstanceSMSProvider;
  remove:
    | typeof RemoveEmailProvider
    | typeof RemoveInstanceEmailProvider
    | typeof RemoveSMSProvider
    | typeof RemoveInstanceSMSProvider;
  addWebhook:
    | typeof AddEmailProviderHTTP
    | typeof AddInstanceEmailProviderHTTP
    | typeof AddInstanceSMSProviderHTTP
    | typeof AddSMSProviderHTTP;
  read:
    | typeof GetEmailProviderById
    | typeof GetInstanceEmailProviderById
    | typeof GetSMSProviderById
    | typeof GetInstanceSMSProviderById;
  changeWebhook:
    | typeof UpdateEmailProviderHTTP
    | typeof UpdateInstanceEmailProviderHTTP
    | typeof UpdateSMSProviderHTTP
    | typeof UpdateInstanceSMSProviderHTTP;
}

/** The paths of a webhook's members in responses. */
const WEBHOOK_PLACES = ["config", "config.http"];

/** Returns how to show the signing key of a webhook, which only this response contains. */
function useSigningKey() {
  const t = useTranslations();
  return {
    title: t("settings.smsKey"),
    text: t("settings.smsKeyText"),
    fileName: "webhook.env",
    values: [{ name: "signingKey", label: t("settings.smsKey"), variable: "WEBHOOK_SECRET" }],
  } as const;
}

export interface ProviderCardProps {
  id: string;
  /** The name of the provider: its description, or another distinguishing value. */
  name: string;
  isActive: boolean;
  facts: FactsProps["facts"];
  operations: ProviderOperations;
  mayWrite: boolean;
  webhook: { endpoint: string; description: string } | undefined;
  /** The dialogs to test the provider, and to change one that is not a webhook. */
  children: ReactNode;
}

export function ProviderCard(props: ProviderCardProps) {
  const { id, name, isActive, facts, mayWrite } = props;
  const t = useTranslations();
  const headline = `provider-${id}`;
  return (
    <section className="card" aria-labelledby={headline}>
      <div className="head">
        <h2 id={headline}>
          <bdi>{name}</bdi>
        </h2>
        <span className={isActive ? "state good" : "state"}>{t(isActive ? "apps.active" : "apps.inactive")}</span>
      </div>
      <Facts facts={facts} />
      {mayWrite && <Changes {...props} />}
    </section>
  );
}

function Changes({ id, name, isActive, operations, webhook, children }: ProviderCardProps) {
  const t = useTranslations();
  const at = { id };
  const done = t("settings.saved");
  return (
    <div className="buttons">
      {isActive ? (
        <ActionButton
          id={`deactivate-${id}`}
          label={t("settings.smsDeactivate")}
          operation={operations.deactivate}
          at={at}
          done={done}
        />
      ) : (
        <ActionButton
          id={`activate-${id}`}
          look="primary"
          label={t("settings.smsActivate")}
          operation={operations.activate}
          at={at}
          done={done}
        />
      )}
      {children}
      {webhook && (
        <>
          <FormDialog
            at={at}
            id={`change-${id}`}
            label={t("directory.change")}
            title={name}
            submit={t("settings.save")}
            done={done}
            operation={operations.changeWebhook}
            review={{ wayBack: { read: operations.read, at, of: WEBHOOK_PLACES } }}
          >
            <WebhookFields {...webhook} />
          </FormDialog>
          <NewKey id={id} operation={operations.changeWebhook} webhook={webhook} />
        </>
      )}
      <ConfirmButton
        id={`remove-${id}`}
        triggerLook="plain"
        label={t("directory.remove")}
        title={t("directory.removeTitle", { name })}
        text={<p>{t("settings.smsRemoveText")}</p>}
        operation={operations.remove}
        at={at}
        done={t("directory.removed")}
      />
    </div>
  );
}

/** Replaces the signing key; the old one becomes invalid at once. */
function NewKey(props: {
  id: string;
  operation: ProviderOperations["changeWebhook"];
  webhook: { endpoint: string; description: string };
}) {
  const { id, operation, webhook } = props;
  const t = useTranslations();
  const reveal = useSigningKey();
  const { endpoint, description } = webhook;
  return (
    <FormDialog
      at={{ id }}
      id={`rotate-${id}`}
      label={t("settings.webhookNewKey")}
      title={t("settings.webhookNewKey")}
      description={t("settings.webhookNewKeyText")}
      submit={t("settings.webhookNewKey")}
      done={t("settings.saved")}
      operation={operation}
      reveal={reveal}
      body={{ endpoint, description: description || undefined, expirationSigningKey: "0s" }}
    />
  );
}

/** The button that adds a webhook, and its dialog. */
export function AddWebhook({ operation }: { operation: ProviderOperations["addWebhook"] }) {
  const t = useTranslations();
  const reveal = useSigningKey();
  return (
    <FormDialog
      id="add-webhook"
      label={t("settings.smsAddWebhook")}
      title={t("settings.smsAddWebhook")}
      submit={t("settings.save")}
      done={t("settings.saved")}
      operation={operation}
      reveal={reveal}
    >
      <WebhookFields />
    </FormDialog>
  );
}

/** The fields of a webhook, for adding and changing it. */
function WebhookFields({ endpoint, description }: { endpoint?: string; description?: string }) {
  const t = useTranslations();
  return (
    <>
      <TextField
        name="endpoint"
        label={t("settings.smsEndpoint")}
        hint={t("settings.smsEndpointHint")}
        type="url"
        value={endpoint}
        required
        maxLength={2000}
      />
      <DescriptionField value={description} />
    </>
  );
}

export function DescriptionField({ value }: { value?: string }) {
  const t = useTranslations();
  return <TextField name="description" label={t("directory.description")} value={value} maxLength={200} keepsEmpty />;
}
