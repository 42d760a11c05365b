// The providers that send mails or text messages, of the service or of an organization. Secrets are never shown again.
import { useTranslations } from "next-intl";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { Facts } from "../parts/facts";
import { ServerFields, TwilioFields, WebhookFields } from "./provider-fields";
import {
  type MessageChannel,
  type MessageProvider,
  PROVIDER_OPERATIONS,
  type ProviderCalls,
  type ProviderLevelName,
} from "./provider-operations";
import { DkimRecord } from "./server-key-fields";

/** The texts of a channel, and the fields of its own kind of provider. */
const CHANNELS = {
  email: {
    titles: { instance: "pages.instance_mail", organization: "pages.mail_settings" },
    empty: { instance: "settings.mailKept", organization: "settings.mailKept" },
    kind: "smtp",
    Fields: ServerFields,
    addId: "add-server",
    add: "settings.mailAddServer",
    test: "settings.tryMail",
    testText: "settings.tryMailText",
  },
  sms: {
    titles: { instance: "pages.instance_sms", organization: "pages.sms" },
    empty: { instance: "settings.smsKept", organization: "settings.smsInherited" },
    kind: "twilio",
    Fields: TwilioFields,
    addId: "add-twilio",
    add: "settings.smsAddTwilio",
    test: "settings.smsTry",
    testText: "settings.smsTryText",
  },
} as const;

export interface ProvidersProps {
  channel: MessageChannel;
  level: ProviderLevelName;
  providers: readonly MessageProvider[];
  mayWrite: boolean;
}

export function ProvidersPage(props: ProvidersProps) {
  const t = useTranslations();
  const { titles, empty } = CHANNELS[props.channel];
  return (
    <>
      <h1>{t(titles[props.level])}</h1>
      {!props.providers.some(isActive) && <p>{t(empty[props.level])}</p>}
      <Providers {...props} />
    </>
  );
}

/** The buttons that add a provider, and a card for each. */
export function Providers({ providers, ...props }: ProvidersProps) {
  const t = useTranslations();
  const { addId, add, Fields } = CHANNELS[props.channel];
  const calls = PROVIDER_OPERATIONS[props.channel][props.level];
  const signingKey = useSigningKey();
  const common = { submit: t("settings.save"), done: t("settings.saved") };
  return (
    <>
      {props.mayWrite && (
        <div className="buttons">
          <FormDialog {...common} id={addId} label={t(add)} operation={calls.add}>
            <Fields />
          </FormDialog>
          <FormDialog
            {...common}
            id="add-webhook"
            label={t("settings.smsAddWebhook")}
            operation={calls.addWebhook}
            reveal={signingKey}
          >
            <WebhookFields />
          </FormDialog>
        </div>
      )}
      {providers.map((provider) => (
        <ProviderCard key={provider.id} {...props} provider={provider} calls={calls} />
      ))}
    </>
  );
}

const isActive = ({ state }: MessageProvider): boolean => state.endsWith("_ACTIVE");

/** Returns the name of a provider: its description, else its host, number or endpoint. */
const nameOf = ({ description, smtp, twilio, http }: MessageProvider): string =>
  description || smtp?.host || twilio?.senderNumber || http?.endpoint || "";

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

interface ProviderProps {
  channel: MessageChannel;
  calls: ProviderCalls;
  provider: MessageProvider;
}

function ProviderCard({ mayWrite, ...props }: ProviderProps & { mayWrite: boolean }) {
  const t = useTranslations();
  const { id, smtp, twilio, http } = props.provider;
  const headline = `provider-${id}`;
  const from = smtp && [smtp.senderName, smtp.senderAddress].filter(Boolean).join(" · ");
  return (
    <section className="card" aria-labelledby={headline}>
      <div className="head">
        <h2 id={headline}>
          <bdi>{nameOf(props.provider)}</bdi>
        </h2>
        <span className={isActive(props.provider) ? "state good" : "state"}>
          {t(isActive(props.provider) ? "apps.active" : "apps.inactive")}
        </span>
      </div>
      <Facts
        facts={[
          [t("settings.mailServer"), smtp && <code>{smtp.host}</code>],
          [t("settings.mailUser"), smtp?.user && <code>{smtp.user}</code>],
          [t("settings.sender"), smtp && <bdi>{from}</bdi>],
          [t("settings.mailTokenEndpoint"), smtp?.xoauth2 && <code>{smtp.xoauth2.tokenEndpoint}</code>],
          [t("settings.mailDkimRecord"), smtp?.dkim && <DkimRecord {...smtp.dkim} />],
          [t("settings.smsAccount"), twilio && <code>{twilio.sid}</code>],
          [t("settings.smsSender"), twilio && <code>{twilio.senderNumber}</code>],
          [t("settings.smsBaseUrl"), twilio && <code>{twilio.baseUrl}</code>],
          [t("settings.smsEndpoint"), http && <code>{http.endpoint}</code>],
        ]}
      />
      {mayWrite && <ProviderButtons {...props} />}
    </section>
  );
}

function ProviderButtons({ channel, calls, provider }: ProviderProps) {
  const t = useTranslations();
  const { id } = provider;
  const at = { id };
  const done = t("settings.saved");
  const { test, testText } = CHANNELS[channel];
  return (
    <div className="buttons">
      {isActive(provider) ? (
        <ActionButton
          id={`deactivate-${id}`}
          label={t("settings.smsDeactivate")}
          operation={calls.deactivate}
          at={at}
          done={done}
        />
      ) : (
        <ActionButton
          id={`activate-${id}`}
          look="primary"
          label={t("settings.smsActivate")}
          operation={calls.activate}
          at={at}
          done={done}
        />
      )}
      <FormDialog
        at={at}
        id={`test-${id}`}
        label={t(test)}
        description={t(testText)}
        operation={calls.test}
        done={t("settings.smsTried")}
      >
        {channel === "sms" && (
          <TextField name="recipientPhoneNumber" {...withHint(t, "directory.phone")} type="tel" required />
        )}
      </FormDialog>
      <ChangeProvider channel={channel} calls={calls} provider={provider} />
      <ConfirmButton
        id={`remove-${id}`}
        triggerLook="plain"
        label={t("directory.remove")}
        title={t("directory.removeTitle", { name: nameOf(provider) })}
        text={<p>{t("settings.smsRemoveText")}</p>}
        operation={calls.remove}
        at={at}
        done={t("directory.removed")}
      />
    </div>
  );
}

/** The dialog to change a provider; for a webhook also the one to replace its signing key. */
function ChangeProvider({ channel, calls, provider }: ProviderProps) {
  const t = useTranslations();
  const signingKey = useSigningKey();
  const { id, http } = provider;
  const at = { id };
  const { kind, Fields } = CHANNELS[channel];
  const common = { at, done: t("settings.saved") };
  const change = {
    ...common,
    id: `change-${id}`,
    label: t("directory.change"),
    title: nameOf(provider),
    submit: t("settings.save"),
  };
  if (!http) {
    const wayBack = { read: calls.read, at, of: ["config", `config.${kind}`], lost: secretsLost(provider) };
    return (
      <FormDialog {...change} operation={calls.change} review={{ wayBack }}>
        <Fields {...provider} />
      </FormDialog>
    );
  }
  return (
    <>
      <FormDialog
        {...change}
        operation={calls.changeWebhook}
        review={{ wayBack: { read: calls.read, at, of: ["config", "config.http"] } }}
      >
        <WebhookFields {...provider} />
      </FormDialog>
      <FormDialog
        {...common}
        id={`rotate-${id}`}
        label={t("settings.webhookNewKey")}
        description={t("settings.webhookNewKeyText")}
        operation={calls.changeWebhook}
        reveal={signingKey}
        body={{ ...http, description: provider.description || undefined, expirationSigningKey: "0s" }}
      />
    </>
  );
}

/**
 * Returns the fields whose change loses a secret. A password or token is only kept with the server and the user that it
 * was set for.
 */
function secretsLost({ smtp }: MessageProvider): readonly string[] {
  if (!smtp) return ["token", "baseUrl"];
  const isBound = smtp.hasPassword || smtp.xoauth2 !== undefined;
  return ["password", "xoauth2", "dkim", ...(isBound ? ["host", "tls", "user"] : [])];
}
