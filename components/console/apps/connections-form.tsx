// The authorization servers to which an administrator connected the app: it gets identity assertions (ID-JAG) for them.
import { useTranslations } from "next-intl";
import { withHint } from "../forms/with-hint";
import type { App, OidcConfig } from "./app";
import { AppForm } from "./app-form";
import { ConnectionList } from "./connection-list";

const SUBJECT_TYPES = ["SUBJECT_TYPE_PUBLIC", "SUBJECT_TYPE_PAIRWISE"] as const;

export interface ConnectionsFormProps {
  app: App;
  settings: OidcConfig;
  isReadOnly: boolean;
}

export function ConnectionsForm({ app, settings, isReadOnly }: ConnectionsFormProps) {
  const t = useTranslations();
  const { connectedAuthorizationServers: connections } = settings;
  if (isReadOnly && connections.length === 0) return null;
  return (
    <section className="card" aria-labelledby="connections">
      <h2 id="connections">{t("apps.connections")}</h2>
      <p>{t("apps.connectionsHint")}</p>
      {isReadOnly && <p className="hint">{t("apps.connectionsFor")}</p>}
      <AppForm
        id="app-connections"
        app={app}
        has={(name) => name === "connectedAuthorizationServers"}
        isReadOnly={isReadOnly}
      >
        <ConnectionList
          label={t("apps.connections")}
          connections={connections}
          fields={{
            issuer: { ...withHint(t, "apps.connectionIssuer") },
            clientId: { label: t("apps.connectionClientId") },
            scopes: { ...withHint(t, "apps.connectionScopes") },
            resources: { ...withHint(t, "apps.connectionResources") },
            subjectType: { label: t("apps.connectionSubject") },
          }}
          subjectTypes={SUBJECT_TYPES.map((value) => ({ value, label: t(`apps.by.setting.${value}`) }))}
          add={t("apps.addConnection")}
        />
      </AppForm>
    </section>
  );
}
