// The secrets of an app. Several secrets can be valid at once, so that an application can switch to a new one before
// the old one is revoked.
import { useNow, useTranslations } from "next-intl";
import { RemoveAppSecret } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { Table } from "../lists/table";
import { Expiry, expiryOf } from "../parts/expiry";
import { type App, appParameters } from "./app";
import { NewSecret } from "./new-secret";

export function SecretList({ app, mayWrite }: { app: App; mayWrite: boolean }) {
  const t = useTranslations();
  const now = useNow().getTime();
  const secrets = (app.oidcConfig ?? app.apiConfig)?.secrets ?? [];
  const at = appParameters(app);
  return (
    <section className="card" aria-labelledby="secrets">
      <h2 id="secrets">{t("apps.secrets")}</h2>
      <p>{t("apps.secretsHint")}</p>
      {secrets.some(({ expiresAt }) => expiryOf(expiresAt, now) === "soon") && (
        <p className="banner">{t("apps.secretReminder")}</p>
      )}
      <Table
        caption={t("apps.secrets")}
        rows={secrets}
        keyOf={({ id }) => id}
        empty={<p>{t("apps.noSecrets")}</p>}
        columns={[
          { id: "created", label: t("apps.created"), moment: ({ creationDate }) => creationDate },
          {
            id: "used",
            label: t("apps.lastUsed"),
            moment: ({ lastUsedDate }) => lastUsedDate,
            cell: () => t("apps.neverUsed"),
          },
          { id: "expires", label: t("apps.expires"), cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
        ]}
        actions={({ id }) =>
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
          )
        }
      />
      {mayWrite && <NewSecret app={app} />}
    </section>
  );
}
