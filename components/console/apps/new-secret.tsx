"use client";
// Creates a further secret of an app. The quickstart of the app has it too until the app's pages are left.
import { useTranslations } from "next-intl";
import { AddAPIClientSecret, AddOIDCClientSecret } from "../../../shared/generated/operations";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { type App, appParameters, clientIdOf } from "./app";
import { useKeptSecrets } from "./kept-secret";

export function NewSecret({ app }: { app: App }) {
  const t = useTranslations();
  const { keep } = useKeptSecrets();
  return (
    <FormDialog
      id="new-secret"
      label={t("apps.newSecret")}
      description={t("apps.newSecretText")}
      operation={app.oidcConfig ? AddOIDCClientSecret : AddAPIClientSecret}
      at={appParameters(app)}
      reveal={{
        title: t("apps.secretTitle"),
        text: t("apps.secretText"),
        fileName: "app.env",
        values: [{ name: "clientSecret", label: t("apps.clientSecret"), variable: "CLIENT_SECRET" }],
      }}
      onReveal={({ clientSecret }) => keep(clientSecret)}
    >
      <p>
        {t("apps.clientId")}: <code>{clientIdOf(app)}</code>
      </p>
      <TextField name="expiresAt" type="date" label={t("apps.expires")} hint={t("apps.secretExpiresHint")} />
    </FormDialog>
  );
}
