// The name by which an app is recognized in its client certificate: one of five. Shown next to its credentials.
import { useTranslations } from "next-intl";
import { TextField } from "../forms/fields";
import type { App } from "./app";
import { AppForm } from "./app-form";

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
  return (
    <section className="card" aria-labelledby="certificate">
      <h2 id="certificate">{t("apps.certificate")}</h2>
      <p>{t("apps.certificateHint")}</p>
      <AppForm id="app-certificate" app={app} has={(name) => name.startsWith("tlsClientAuth")} isReadOnly={isReadOnly}>
        {NAMES.map((name) => (
          <TextField key={name} name={name} label={t(`apps.by.certificate.${name}`)} value={settings[name]} />
        ))}
      </AppForm>
    </section>
  );
}
