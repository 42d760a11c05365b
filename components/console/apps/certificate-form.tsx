// The name by which an app is recognized in its client certificate: one of five. Shown next to its credentials.
import { useTranslations } from "next-intl";
import { UpdateAPIAppConfig, UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import { TextField } from "../forms/fields";
import { type App, appParameters, settingsToSend } from "./app";
import { reviewOf } from "./review";

const NAMES = [
  "tlsClientAuthSubjectDn",
  "tlsClientAuthSanDns",
  "tlsClientAuthSanUri",
  "tlsClientAuthSanIp",
  "tlsClientAuthSanEmail",
] as const;

export function CertificateForm({ app, isReadOnly }: { app: App; isReadOnly: boolean }) {
  const t = useTranslations();
  const settings = app.oidcConfig ?? app.apiConfig;
  if (!settings) return null;
  const {
    tlsClientAuthSubjectDn: _dn,
    tlsClientAuthSanDns: _dns,
    tlsClientAuthSanUri: _uri,
    tlsClientAuthSanIp: _ip,
    tlsClientAuthSanEmail: _email,
    ...kept
  } = settingsToSend(settings);
  return (
    <section className="card" aria-labelledby="certificate">
      <h2 id="certificate">{t("apps.certificate")}</h2>
      <p>{t("apps.certificateHint")}</p>
      <ActionForm
        id="app-certificate"
        operation={app.oidcConfig ? UpdateOIDCAppConfig : UpdateAPIAppConfig}
        at={appParameters(app)}
        body={kept}
        done={t("apps.saved")}
        review={reviewOf(app)}
        isReadOnly={isReadOnly}
      >
        <fieldset className="plain-fieldset" disabled={isReadOnly}>
          {NAMES.map((name) => (
            <TextField key={name} name={name} label={t(`apps.by.certificate.${name}`)} value={settings[name]} />
          ))}
        </fieldset>
      </ActionForm>
    </section>
  );
}
