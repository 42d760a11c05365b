// The authorization servers to which an administrator connected the app: it gets identity assertions (ID-JAG) for them.
import { useTranslations } from "next-intl";
import { UpdateOIDCAppConfig } from "../../../shared/generated/operations";
import { ActionForm } from "../forms/action-form";
import { withHint } from "../forms/with-hint";
import { type App, appParameters, type OidcConfig, settingsToSend } from "./app";
import { ConnectionList } from "./connection-list";
import { reviewOf } from "./review";

const SUBJECT_TYPES = ["SUBJECT_TYPE_PUBLIC", "SUBJECT_TYPE_PAIRWISE"] as const;

export interface ConnectionsFormProps {
  app: App;
  settings: OidcConfig;
  isReadOnly: boolean;
}

export function ConnectionsForm({ app, settings, isReadOnly }: ConnectionsFormProps) {
  const t = useTranslations();
  const { connectedAuthorizationServers: connections, ...kept } = settingsToSend(settings);
  if (isReadOnly && connections.length === 0) return null;
  return (
    <section className="card" aria-labelledby="connections">
      <h2 id="connections">{t("apps.connections")}</h2>
      <p>{t("apps.connectionsHint")}</p>
      {isReadOnly && <p className="hint">{t("apps.connectionsFor")}</p>}
      <ActionForm
        id="app-connections"
        operation={UpdateOIDCAppConfig}
        at={appParameters(app)}
        body={kept}
        done={t("apps.saved")}
        review={reviewOf(app)}
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
      </ActionForm>
    </section>
  );
}
