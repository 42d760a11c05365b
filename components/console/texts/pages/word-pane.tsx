"use client";
// The words of the current page or of the search results, each as a field, followed by the actions.
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { Level } from "../../parts/level";
import type { Approval } from "../approval/use-approval";
import { BuiltInBadge } from "../built-in-notice";
import { EditorPane, useRefusalFocus } from "../editor/editor-pane";
import type { WordsAddress } from "../page-address";
import { TextEditorField } from "../text-editor-field";
import { useTextLabels } from "../text-labels";
import { fieldState } from "../text-state";
import type { PreviewState } from "../use-rendered-preview";
import type { Texts } from "../use-texts";
import type { ExplainedWord, PagePreview, WordsOverview } from "./words-kind";

export type WordsDialog = "reset" | "history" | "built-in";

export interface WordPaneProps {
  texts: Texts<WordsAddress, WordsOverview>;
  approval: Approval;
  level: Level;
  words: ReadonlyMap<string, ExplainedWord>;
  languages: readonly string[];
  preview: PreviewState<PagePreview>;
  /** Returns the label of a word: its built-in text. */
  labelOf(field: string): string;
  mayWrite: boolean;
  /** The selected word; selecting one moves the caret into its field. */
  chosen: { word: string } | undefined;
  onChoose(word: string): void;
  onDialog(dialog: WordsDialog): void;
}

/** The limit of the API, in characters (code points). */
const LIMIT = 500;
/** The maximum number of fields for a search. */
const MAX_FOUND = 50;
const idOf = (word: string) => `word-${word.replace(".", "-")}`;

export function WordPane(props: WordPaneProps) {
  const { texts, approval, level, words, languages, preview, labelOf, mayWrite, chosen, onChoose, onDialog } = props;
  const t = useTranslations();
  const { issue } = useTextLabels();
  const { address, saved, values, outcome } = texts;
  const { language } = address;
  const [wanted, setWanted] = useState("");

  const onPage = preview.isCurrent ? preview.shown.preview.words : [];
  const typed = wanted.trim().toLocaleLowerCase();
  const isFound = (word: ExplainedWord) =>
    [word.field, values[word.field] ?? "", saved?.inherited[word.field]?.text ?? ""].some((text) =>
      text.toLocaleLowerCase().includes(typed),
    );
  const shown =
    typed === ""
      ? onPage
      : [...words.values()]
          .filter(isFound)
          .slice(0, MAX_FOUND)
          .map(({ field }) => field);

  // Links from the search over all texts name a word.
  useEffect(() => setWanted(new URLSearchParams(location.search).get("word") ?? ""), []);
  useEffect(() => {
    if (!chosen) return;
    setWanted("");
    requestAnimationFrame(() => document.getElementById(idOf(chosen.word))?.focus());
  }, [chosen]);
  useRefusalFocus(outcome, idOf);

  const errors = preview.isCurrent ? preview.shown.preview.errors : [];
  const takesPower = (field: string) => words.get(field)?.takesPower === true;
  const own = Object.keys(saved?.own ?? {});
  return (
    <EditorPane
      texts={texts}
      approval={approval}
      level={level}
      message={{ fields: [...words.keys()], languages: texts.overview.languages }}
      languages={languages}
      heading={<h2>{t("pages.words")}</h2>}
      panel="words-panel"
      mayWrite={mayWrite}
      mayReset={own.length > 0 && !own.some(takesPower)}
      historyId="words-history"
      banner={
        <>
          {!mayWrite && <p className="banner">{t("texts.readOnly")}</p>}
          {mayWrite && shown.some(takesPower) && <p className="banner">{t("texts.readOnlyPower")}</p>}
        </>
      }
      lead={null}
      addressIn={(other) => ({ ...address, language: other })}
      keyOf={({ language: key }) => key}
      labelOf={labelOf}
      nameOf={() => t("pages.words")}
      linesOf={({ problems }) =>
        problems.map((problem) =>
          problem.field && words.has(problem.field)
            ? t("texts.problemAt", { field: labelOf(problem.field), problem: issue(problem) })
            : problem.message,
        )
      }
      onDialog={onDialog}
      fields={
        <>
          <input
            type="search"
            id="find-word"
            hidden={approval.shown !== undefined}
            aria-label={t("texts.findWord")}
            placeholder={t("texts.findWord")}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
          {typed === "" && !approval.shown && (
            <p className="hint">{t(onPage.length === 0 && preview.isCurrent ? "texts.noWords" : "texts.wordsHint")}</p>
          )}
          {typed !== "" && shown.length === 0 && <p className="quiet">{t("frame.nothingFound")}</p>}
          {(approval.shown ? [] : shown).map((field) => (
            <TextEditorField
              key={`${language}/${field}`}
              id={idOf(field)}
              field={field}
              label={labelOf(field)}
              note={saved?.outdated[field] && <BuiltInBadge />}
              limit={LIMIT}
              value={values[field] ?? ""}
              state={saved ? fieldState(values, saved, field) : "built_in"}
              inherited={saved?.inherited[field]}
              language={language}
              issues={errors.filter((error) => error.field === field).map((error) => ({ ...error, isError: true }))}
              judged={preview.shown.values[field] ?? ""}
              variables={(words.get(field)?.variables ?? []).map(offeredVariable)}
              isReadOnly={!mayWrite || !saved || takesPower(field)}
              mayBeBlank={false}
              onChange={(value) => texts.change(field, value)}
              onFocus={() => onChoose(field)}
            />
          ))}
          <Fixed preview={preview} />
        </>
      }
    />
  );
}

/** Lists the words that cannot be changed because they protect readers, so that no one searches for their fields. */
function Fixed({ preview: { shown, isCurrent } }: { preview: PreviewState<PagePreview> }) {
  const t = useTranslations();
  const fixed = isCurrent ? shown.preview.fixed.filter(({ reason }) => reason === "protects") : [];
  if (fixed.length === 0) return null;
  return (
    <section className="fixed-words">
      <h3>{t("texts.fixedList")}</h3>
      <p className="hint">{t("texts.fixedProtects")}</p>
      <ul>
        {fixed.map(({ path, text }) => (
          <li key={path}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

const offeredVariable = (name: string) => {
  return { name, placeholder: `{{.${name}}}`, aliases: [], description: name, sample: "", mayBeEmpty: false };
};
