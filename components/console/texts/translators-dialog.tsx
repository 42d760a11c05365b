"use client";
// Exports all texts of the open language into a file for translators, and imports it. The server first checks the file
// and lists every mistake or the changes; only then is it imported, completely or not at all.
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AnswerOf, RequestOf } from "../../../shared/declared";
import {
  AdminService_ExportTranslations,
  AdminService_ImportTranslations,
  ManagementService_ExportTranslations,
  ManagementService_ImportTranslations,
} from "../../../shared/generated/operations";
import type { Answer } from "../../../shared/refusal";
import { useTurn } from "../calls/use-turn";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import { downloadText } from "../parts/download";
import { useLanguageNames } from "../parts/known-languages";
import { type TextScope, textAddress } from "./address";
import { ask } from "./ask";
import { Difference } from "./difference";
import type { MessageField, MessageType } from "./messages";
import { wordsAddress } from "./page-address";
import { Segments } from "./segments";
import { useTextLabels } from "./text-labels";

type Format = "xliff" | "json";
type Source = NonNullable<NonNullable<RequestOf<"AdminService_ExportTranslations">["query"]>["source"]>;
type Imported = AnswerOf<"AdminService_ImportTranslations">;

export interface TranslatorsDialogProps {
  isOpen: boolean;
  scope: TextScope;
  language: string;
  languages: readonly string[];
  mayWrite: boolean;
  onClose(): void;
}

type Place = Pick<Imported["changes"][number], "type" | "field" | "page">;

/** The name of a text, which leads to the editor that shows where it is used. */
function TextPlace({ type, field, page, scope, language }: Place & { scope: TextScope; language: string }) {
  const t = useTranslations();
  const { message } = useTextLabels();
  if (type !== undefined) {
    const of = type as MessageType;
    return (
      <a href={textAddress(scope, { type: of, language })} target="_blank" rel="noreferrer">
        {message(of)} · {t(`texts.by.field.${field as MessageField}`)}
      </a>
    );
  }
  const at = wordsAddress(scope, { page: page?.id ?? "sign-in", language });
  return (
    <a href={`${at}?word=${encodeURIComponent(field)}`} target="_blank" rel="noreferrer">
      {page ? `${t("pages.words")} · ${page.title}` : t("pages.words")} · <code>{field}</code>
    </a>
  );
}

export function TranslatorsDialog(props: TranslatorsDialogProps) {
  const { isOpen, scope, language, languages, mayWrite, onClose } = props;
  const t = useTranslations();
  const { endonymOf } = useLanguageNames();
  const { issue } = useTextLabels();
  const [format, setFormat] = useState<Format>("xliff");
  const [source, setSource] = useState<Source>("en");
  const [content, setContent] = useState<{ text: string; format: Format }>();
  const [answer, setAnswer] = useState<Answer<Imported>>();
  const [hasFailed, setFailed] = useState(false);
  const isOfService = scope.organizationId === undefined;
  const exportIt = isOfService ? AdminService_ExportTranslations : ManagementService_ExportTranslations;
  const importIt = isOfService ? AdminService_ImportTranslations : ManagementService_ImportTranslations;

  const download = async () => {
    const file = await ask(exportIt, { at: { language }, query: { format, source } });
    setFailed(!file.ok);
    if (file.ok) downloadText(file.body.fileName, file.body.content, file.body.contentType);
  };
  const begin = useTurn();
  const send = async (file: { text: string; format: Format }, dryRun: boolean, isLast = begin()) => {
    const body = { content: file.text, format: file.format, dryRun };
    const answered = await ask(importIt, { at: { language }, body });
    if (isLast()) setAnswer(answered); // else another file was chosen in the meantime
  };
  const read = async (file: File | undefined) => {
    const isLast = begin();
    setAnswer(undefined);
    setContent(undefined);
    if (!file) return;
    const given = {
      text: await file.text(),
      format: file.name.endsWith(".json") ? ("json" as const) : ("xliff" as const),
    };
    if (!isLast()) return;
    setContent(given);
    await send(given, true, isLast);
  };
  const done = answer?.ok ? answer.body : undefined;

  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={t("texts.translatorsTitle", { language: endonymOf(language) })}
      description={t("texts.translatorsText")}
    >
      <Segments
        name="format"
        label={t("texts.format")}
        value={format}
        options={{ xliff: "XLIFF 2.0", json: "JSON" }}
        onChoose={setFormat}
      />
      {format === "xliff" && (
        <label className="field">
          <span>{t("texts.translateFrom")}</span>
          <select value={source} onChange={(event) => setSource(event.target.value as Source)}>
            {languages.map((one) => (
              <option key={one} value={one} lang={one}>
                {endonymOf(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      <Button id="download-texts" label={t("texts.download")} onClick={download} />
      {mayWrite && (
        <label className="field">
          <span>{t("texts.translated")}</span>
          <input
            type="file"
            id="translated-file"
            accept=".xlf,.xliff,.json,application/json,application/xliff+xml"
            onChange={(event) => void read(event.target.files?.[0])}
          />
        </label>
      )}
      <div role="status">
        {hasFailed && <p className="problem">{t("frame.failed")}</p>}
        {done && (
          <p>
            {done.isDraft
              ? t("texts.approval.imported", { count: done.changes.length })
              : done.isApplied
                ? t("texts.translationsSaved", { count: done.changes.length })
                : done.changes.length === 0
                  ? t("texts.nothingToChange")
                  : t("texts.importPlan", { changes: done.changes.length, same: 0 })}
          </p>
        )}
      </div>
      {answer?.ok === false && (
        <div className="problem" role="alert">
          <ul>
            {answer.refusal.problems.map((problem) => (
              <li key={`${problem.field}/${problem.id}`}>
                {problem.id.includes("_text.") && problem.field
                  ? t("texts.problemAt", { field: problem.field, problem: issue(problem) })
                  : problem.message || t("frame.failed")}
              </li>
            ))}
          </ul>
        </div>
      )}
      {done && done.changes.length > 0 && (
        <dl className="plan">
          {done.changes.map(({ id, from = "", to = "", ...of }) => (
            <div key={id}>
              <dt>
                <TextPlace {...of} scope={scope} language={language} />
              </dt>
              <dd>
                <Difference before={from} after={to} language={language} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="buttons">
        <Button label={t("frame.close")} onClick={() => (done?.isApplied ? location.reload() : onClose())} />
        {content && done && !done.isApplied && done.changes.length > 0 && (
          <Button
            id="take-translations"
            look="primary"
            label={t("texts.importNow", { count: done.changes.length })}
            onClick={() => send(content, false)}
          />
        )}
      </div>
    </Dialog>
  );
}
