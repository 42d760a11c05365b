// The languages that are not built in, with forms to add and remove them.
import { useTranslations } from "next-intl";
import type { LocaleEntry } from "../../../messages/locales";
import { AddLanguage, RemoveLanguage } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { Table } from "../lists/table";

export interface AddedLanguagesProps {
  languages: readonly LocaleEntry[];
  mayWrite: boolean;
}

export function AddedLanguages({ languages, mayWrite }: AddedLanguagesProps) {
  const t = useTranslations();
  return (
    <section className="card" aria-labelledby="added-languages">
      <div className="head">
        <h2 id="added-languages">{t("settings.addedLanguages")}</h2>
        {mayWrite && (
          <FormDialog
            id="add-language"
            label={t("settings.addLanguage")}
            title={t("settings.addLanguage")}
            operation={AddLanguage}
            at={{ language: { field: "language" } }}
            submit={t("directory.add")}
          >
            <TextField
              name="language"
              label={t("settings.languageTag")}
              hint={t("settings.languageTagHint")}
              required
              maxLength={35}
              dir="ltr"
            />
            <TextField
              name="name"
              label={t("settings.languageName")}
              hint={t("settings.languageNameHint")}
              maxLength={60}
              dir="auto"
            />
          </FormDialog>
        )}
      </div>
      <p>{t("settings.addedLanguagesHint")}</p>
      <Table
        caption={t("settings.addedLanguages")}
        rows={languages}
        keyOf={({ tag }) => tag}
        empty={<p>{t("settings.noAddedLanguages")}</p>}
        columns={[
          {
            id: "language",
            label: t("directory.language"),
            cell: ({ tag, endonym, dir }) => (
              <bdi lang={tag} dir={dir}>
                {endonym}
              </bdi>
            ),
          },
          { id: "tag", label: t("settings.languageTag"), cell: ({ tag }) => <code>{tag}</code> },
          {
            id: "actions",
            label: t("directory.actions"),
            isQuiet: true,
            cell: ({ tag, endonym }) =>
              mayWrite && (
                <ConfirmButton
                  id={`remove-language-${tag}`}
                  operation={RemoveLanguage}
                  at={{ language: tag }}
                  label={t("directory.remove")}
                  triggerLook="plain"
                  title={t("directory.removeTitle", { name: endonym })}
                  text={<p>{t("settings.removeLanguageText")}</p>}
                  done={t("directory.removed")}
                />
              ),
          },
        ]}
      />
    </section>
  );
}
