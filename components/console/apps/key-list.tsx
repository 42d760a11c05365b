// The public keys of an app that authenticates with private_key_jwt (RFC 7523). The private part of a key that is
// generated here is downloaded once and not stored.
import { useTranslations } from "next-intl";
import { AddAppKey, RemoveAppKey } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { LongTextField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { CredentialTable } from "../lists/credential-table";
import { type App, type AppKey, appParameters, publishesKeys } from "./app";
import { AssertionForm } from "./assertion-form";

export interface KeyListProps {
  app: App;
  keys: readonly AppKey[];
  mayWrite: boolean;
}

export function KeyList({ app, keys, mayWrite }: KeyListProps) {
  const at = appParameters(app);
  const t = useTranslations();
  return (
    <section className="card" aria-labelledby="keys">
      <h2 id="keys">{t("apps.keys")}</h2>
      <p>{t("apps.keysHint")}</p>
      <CredentialTable
        caption={t("apps.keys")}
        rows={keys}
        empty={t(publishesKeys(app) ? "apps.keysElsewhere" : "apps.noKeys")}
        labels={{
          id: t("apps.keyId"),
          algorithm: t("apps.algorithm"),
          created: t("apps.created"),
          expires: t("apps.expires"),
          never: t("apps.neverExpires"),
        }}
        removal={(id) =>
          mayWrite && (
            <ConfirmButton
              id={`remove-key-${id}`}
              operation={RemoveAppKey}
              at={{ ...at, keyId: id }}
              label={t("apps.remove")}
              triggerLook="plain"
              title={t("apps.removeKeyTitle", { key: id, name: app.name })}
              text={<p>{t("apps.removeKeyText")}</p>}
              done={t("apps.removed")}
            />
          )
        }
      />
      {mayWrite && (
        <div className="buttons">
          <FormDialog
            id="new-key"
            label={t("apps.newKey")}
            description={t("apps.newKeyText")}
            operation={AddAppKey}
            at={at}
            body={{ type: "KEY_TYPE_JSON" }}
            reveal={{
              title: t("apps.keyTitle"),
              text: t("apps.keyText"),
              fileName: "key.json",
              values: [{ name: "keyDetails", label: t("apps.keyFile"), isBase64: true }],
            }}
          >
            <TextField name="expirationDate" type="date" {...withHint(t, "apps.expires")} />
          </FormDialog>
          <FormDialog
            id="upload-key"
            label={t("apps.uploadKey")}
            triggerLook="plain"
            operation={AddAppKey}
            at={at}
            body={{ type: "KEY_TYPE_JSON" }}
            done={t("apps.saved")}
          >
            <LongTextField name="publicKey" {...withHint(t, "apps.publicKey")} rows={8} required />
            <TextField name="expirationDate" type="date" {...withHint(t, "apps.expires")} />
          </FormDialog>
        </div>
      )}
      <AssertionForm app={app} isReadOnly={!mayWrite} />
    </section>
  );
}
