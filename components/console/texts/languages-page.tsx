// The languages of the service: how far each is written, its texts, its translation file, and languages to add.
import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";
import { AddLanguage, RemoveLanguage } from "../../../shared/generated/operations";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { Table } from "../lists/table";
import { LanguageName } from "../parts/known-languages";
import { type TextScope, textAddress } from "./address";
import type { MessageType } from "./messages";
import { wordsAddress } from "./page-address";
import { TranslationFile } from "./translation-file";

type Progress = AnswerOf<"ListLanguageProgress">["languages"][number];

const SERVICE: TextScope = { organizationId: undefined };

export interface LanguagesPageProps {
  languages: readonly Progress[];
  /** The message with which the editor starts. */
  firstMessage: MessageType;
  mayWrite: boolean;
  mayAdd: boolean;
}

export function LanguagesPage({ languages, firstMessage, mayWrite, mayAdd }: LanguagesPageProps) {
  const t = useTranslations();
  const tags = languages.map(({ language }) => language);
  return (
    <>
      <div className="head">
        <h1>{t("pages.languages")}</h1>
        {mayAdd && <AddLanguageDialog />}
      </div>
      <p className="lead">{t("texts.languagesLead")}</p>
      <Table
        caption={t("pages.languages")}
        rows={languages}
        keyOf={({ language }) => language}
        empty={null}
        columns={[
          {
            id: "language",
            label: t("directory.language"),
            size: "text",
            isPlain: true,
            title: ({ name }) => name,
            cell: ({ language, name, direction, isAdded, isDefault }) => (
              <>
                <bdi lang={language} dir={direction}>
                  {name}
                </bdi>{" "}
                <code>{language}</code> {isDefault && <span className="state">{t("texts.defaultLanguage")}</span>}{" "}
                {isAdded && <span className="state">{t("texts.addedByYou")}</span>}
              </>
            ),
          },
          {
            id: "messages",
            label: t("pages.texts"),
            size: "fit",
            cell: ({ language, messages }) => (
              <Written of={messages} href={textAddress(SERVICE, { type: firstMessage, language })} />
            ),
          },
          {
            id: "pages",
            label: t("pages.words"),
            size: "fit",
            cell: ({ language, pages }) => (
              <Written of={pages} href={wordsAddress(SERVICE, { page: "sign-in", language })} />
            ),
          },
          {
            id: "fallback",
            label: t("texts.fallback"),
            size: "fit",
            cell: ({ messages, pages, fallsBackTo }) =>
              messages.fallback + pages.fallback === 0 ? (
                <span className="quiet">–</span>
              ) : (
                <>
                  {t("texts.fallbackCount", { count: messages.fallback + pages.fallback })}{" "}
                  <span className="quiet">
                    <LanguageName tag={fallsBackTo} />
                  </span>
                </>
              ),
          },
        ]}
        actions={({ language, name, isAdded, isDefault }) => (
          <div className="buttons">
            <TranslationFile scope={SERVICE} language={language} languages={tags} mayWrite={mayWrite} />
            {mayAdd && isAdded && !isDefault && (
              <ConfirmButton
                id={`remove-language-${language}`}
                operation={RemoveLanguage}
                at={{ language }}
                label={t("directory.remove")}
                triggerLook="plain"
                title={t("directory.removeTitle", { name })}
                text={<p>{t("settings.removeLanguageText")}</p>}
                done={t("directory.removed")}
              />
            )}
          </div>
        )}
      />
    </>
  );
}

/** How much is written, as a link to the texts. */
function Written({ of, href }: { of: Progress["messages"]; href: string }) {
  const t = useTranslations();
  const { total, customized, translated } = of;
  return (
    <>
      <a href={href}>{t("texts.writtenOf", { count: customized + translated, total })}</a>
      {customized > 0 && <span className="quiet"> {t("texts.customizedCount", { count: customized })}</span>}
    </>
  );
}

function AddLanguageDialog() {
  const t = useTranslations();
  return (
    <FormDialog
      id="add-language"
      label={t("settings.addLanguage")}
      description={t("settings.addedLanguagesHint")}
      operation={AddLanguage}
      at={{ language: { field: "language" } }}
      submit={t("directory.add")}
      done={t("texts.languageAdded")}
    >
      <TextField name="language" {...withHint(t, "settings.languageTag")} required maxLength={35} dir="ltr" />
      <TextField name="name" {...withHint(t, "settings.languageName")} maxLength={60} dir="auto" />
    </FormDialog>
  );
}
