// The secrets of an app. Several secrets can be valid at once, so that an application can switch to a new one before
// the old one is revoked.
import { useTranslations } from "next-intl";
import {
  RegenerateAPIClientSecret,
  RegenerateOIDCClientSecret,
  RemoveAppSecret,
} from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { FormDialog } from "../forms/form-dialog";
import { Table } from "../lists/table";
import { Moment } from "../parts/moment";
import { type App, appParameters, clientIdOf } from "./app";

export function SecretList({ app, mayWrite }: { app: App; mayWrite: boolean }) {
  const t = useTranslations();
  const secrets = (app.oidcConfig ?? app.apiConfig)?.secrets ?? [];
  const at = appParameters(app);
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
                  operation={RemoveAppSecret}
                  at={{ ...at, secretId: id }}
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
          operation={app.oidcConfig ? RegenerateOIDCClientSecret : RegenerateAPIClientSecret}
          at={at}
          body={{ keepOthers: true }}
          reveal={{
            title: t("apps.secretTitle"),
            text: t("apps.secretText"),
            fileName: "app.env",
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
