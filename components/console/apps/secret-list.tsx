// The secrets of an app. A new one is valid beside the old one, so that an application can be given the new one before
// the old one is revoked.
import { useTranslations } from "next-intl";
import { ConfirmButton } from "../confirm-button";
import { FormDialog } from "../form-dialog";
import { Moment } from "../moment";
import { Table } from "../table";
import { type App, clientIdOf } from "./app";

export function SecretList({ app, path, mayWrite }: { app: App; path: string; mayWrite: boolean }) {
  const t = useTranslations();
  const secrets = (app.oidcConfig ?? app.apiConfig)?.secrets ?? [];
  const config = app.oidcConfig ? "oidc_config" : "api_config";
  return (
    <section className="card" aria-labelledby="secrets">
      <h2 id="secrets">{t("apps.secrets")}</h2>
      <p>{t("apps.secretsHint")}</p>
      <Table
        caption={t("apps.secrets")}
        rows={secrets}
        keyOf={({ id }) => id}
        empty={<p>{t("apps.noSecrets")}</p>}
        columns={[
          {
            id: "created",
            label: t("apps.created"),
            cell: ({ creationDate }) => <Moment at={Date.parse(creationDate)} />,
          },
          {
            id: "used",
            label: t("apps.lastUsed"),
            cell: ({ lastUsedDate }) => (lastUsedDate ? <Moment at={Date.parse(lastUsedDate)} /> : t("apps.neverUsed")),
          },
          {
            id: "actions",
            label: t("apps.actions"),
            isQuiet: true,
            cell: ({ id }) =>
              mayWrite && (
                <ConfirmButton
                  id={`revoke-${id}`}
                  method="DELETE"
                  path={`${path}/secrets/${encodeURIComponent(id)}`}
                  label={t("apps.revoke")}
                  triggerLook="plain"
                  title={t("apps.revokeTitle", { name: app.name })}
                  text={<p>{t("apps.revokeText")}</p>}
                  done={t("apps.revoked")}
                />
              ),
          },
        ]}
      />
      {mayWrite && (
        <FormDialog
          id="new-secret"
          label={t("apps.newSecret")}
          title={t("apps.newSecret")}
          description={t("apps.newSecretText")}
          submit={t("apps.newSecret")}
          method="POST"
          path={`${path}/${config}/_generate_client_secret`}
          body={{ keepOthers: true }}
          reveal={{
            title: t("apps.secretTitle"),
            text: t("apps.secretText"),
            fileName: ".env",
            values: [{ name: "clientSecret", label: t("apps.clientSecret"), variable: "CLIENT_SECRET" }],
          }}
        >
          <p>
            {t("apps.clientId")}: <code>{clientIdOf(app)}</code>
          </p>
        </FormDialog>
      )}
    </section>
  );
}
