// The credentials of an app: its secrets or its keys.
import { useTranslations } from "next-intl";
import { type App, type AppKey, authenticatesByCertificateName, authenticatesWithKey, hasSecret } from "./app";
import { CertificateForm } from "./certificate-form";
import { KeyList } from "./key-list";
import { SecretList } from "./secret-list";

export interface AppCredentialsProps {
  app: App;
  keys: readonly AppKey[];
  mayWrite: boolean;
}

export function AppCredentials({ app, keys, mayWrite }: AppCredentialsProps) {
  const t = useTranslations();
  if (hasSecret(app)) return <SecretList app={app} mayWrite={mayWrite} />;
  if (authenticatesWithKey(app)) return <KeyList app={app} keys={keys} mayWrite={mayWrite} />;
  if (authenticatesByCertificateName(app)) return <CertificateForm app={app} isReadOnly={!mayWrite} />;
  return (
    <div className="card empty">
      <p>{t("apps.noCredentials")}</p>
      <p>
        <a href="?view=settings">{t("apps.toSettings")}</a>
      </p>
    </div>
  );
}
