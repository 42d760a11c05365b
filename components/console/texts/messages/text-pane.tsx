"use client";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Problems } from "../../calls/problems";
// Edits one message in one language: language tabs, fields in the order of a mail, variables, and the actions at the
// end.
import { useLanguageNames } from "../../parts/known-languages";
import type { Level } from "../../parts/level";
import type { TextAddress } from "../address";
import { DraftNotice } from "../approval/draft-notice";
import { Review } from "../approval/review";
import type { Approval } from "../approval/use-approval";
import { type OfferedVariable, spanAt } from "../braces";
import { BuiltInBadge, BuiltInNotice } from "../built-in-notice";
import { insertText } from "../insert-text";
import { LanguageTabs } from "../language-tabs";
import { keyOf } from "../message-kind";
import type { MessageField } from "../messages";
import type { MessageOverview, TextsOverview } from "../overview";
import { SaveBar } from "../save-bar";
import { TextEditorField } from "../text-editor-field";
import type { FieldIssue } from "../text-field-parts";
import { useTextLabels } from "../text-labels";
import { fieldState } from "../text-state";
import type { CurrentPreview } from "../use-preview";
import type { Texts } from "../use-texts";
import { VariablePalette } from "../variable-palette";

export type TextDialog = "reset" | "copy" | "curl" | "history" | "built-in";

export interface TextPaneProps {
  texts: Texts<TextAddress, TextsOverview>;
  approval: Approval;
  level: Level;
  message: MessageOverview;
  fields: readonly { name: MessageField; label: string; limit: number }[];
  labelOf(field: string): string;
  preview: CurrentPreview;
  variables: readonly OfferedVariable[];
  mayWrite: boolean;
  /** Whether the visitor may see sent messages. */
  readsMails: boolean;
  /** Whether the visitor may change texts but not this one, because it can open accounts. */
  lacksPrivilege: boolean;
  onDialog(dialog: TextDialog): void;
}

const PANEL = "text-panel";
const idOf = (field: MessageField) => `text-${field}`;

export function TextPane(props: TextPaneProps) {
  const { texts, approval, level, message, fields, preview, variables, mayWrite, readsMails } = props;
  const { lacksPrivilege, labelOf, onDialog } = props;
  const t = useTranslations();
  const words = useTextLabels();
  const { endonymOf, isAdded } = useLanguageNames();
  const { address, saved, values, outcome } = texts;
  const { type, language } = address;
  const isCustomized = Object.keys(saved?.own ?? {}).length > 0;
  const last = useRef<HTMLTextAreaElement>(null);

  // A refusal moves the focus to its position.
  useEffect(() => {
    if (outcome?.kind !== "refused") return;
    const { field, position } = outcome.refusal.problems.find((problem) => problem.field) ?? {};
    const area = field && document.getElementById(idOf(field as MessageField));
    if (!(area instanceof HTMLTextAreaElement)) return;
    area.blur(); // closes the list above it
    area.focus();
    const { from, to } = spanAt(area.value, position ?? 0);
    area.setSelectionRange(from, to);
  }, [outcome]);

  const take = ({ placeholder }: OfferedVariable) => {
    const written = last.current?.isConnected ? last.current : document.getElementById(idOf("text"));
    if (!(written instanceof HTMLTextAreaElement)) return;
    insertText(written, written.selectionStart, written.selectionEnd, placeholder);
  };
  const judged = preview.shown?.preview;
  const issuesOf = (field: MessageField): FieldIssue[] =>
    judged && preview.isCurrent
      ? [
          ...judged.errors.map((issue) => ({ ...issue, isError: true })),
          ...judged.warnings.map((issue) => ({ ...issue, isError: false })),
        ].filter((issue) => issue.field === field)
      : [];

  return (
    <>
      <div className="head">
        <h2 id="message-name">{words.message(type)}</h2>
        <div className="text-actions">
          {mayWrite && !approval.shown && (
            <button
              type="button"
              className="plain"
              id="copy-text"
              aria-disabled={!saved}
              onClick={() => saved && onDialog("copy")}
            >
              {t("texts.copy")}
            </button>
          )}
          <button type="button" className="plain" id="text-history" onClick={() => onDialog("history")}>
            {t("texts.history")}
          </button>
          <button type="button" className="plain" id="show-curl" onClick={() => onDialog("curl")}>
            {t("texts.curl")}
          </button>
          {mayWrite && !approval.shown && (
            <button
              type="button"
              className="plain danger"
              id="reset-text"
              aria-disabled={!isCustomized}
              onClick={() => isCustomized && onDialog("reset")}
            >
              {t("texts.reset")}
            </button>
          )}
        </div>
      </div>
      <p className="hint">
        {t(`texts.by.about.${type}`)}{" "}
        {readsMails && (
          <a id="sent-messages" href={`/console/mail?${new URLSearchParams({ type })}`}>
            {t("texts.sentMessages")}
          </a>
        )}
      </p>
      <LanguageTabs
        languages={texts.overview.languages}
        message={message}
        level={level}
        current={language}
        panel={PANEL}
        isUnsaved={(one) => texts.drafts.has(keyOf({ type, language: one }))}
        onOpen={(one) => texts.open({ type, language: one })}
      />
      <section role="tabpanel" id={PANEL} aria-labelledby={`language-${language}`} className="text-panel">
        <h3 className="hidden">{endonymOf(language)}</h3>
        {isAdded(language) && <p className="hint">{t("texts.addedLanguage")}</p>}
        {!mayWrite && <p className="banner">{t(lacksPrivilege ? "texts.readOnlyPower" : "texts.readOnly")}</p>}
        {!mayWrite && outcome?.kind === "refused" && <Problems refusal={outcome.refusal} />}
        <BuiltInNotice saved={saved} onReview={() => onDialog("built-in")} />
        {message.isShortMessage && <p className="hint">{t("texts.shortMessage")}</p>}
        <DraftNotice approval={approval} />
        {approval.shown && (
          <Review approval={approval} draft={approval.shown} saved={saved} labelOf={labelOf} mayWrite={mayWrite} />
        )}
        {!approval.shown && <VariablePalette type={type} variables={variables} onTake={mayWrite ? take : undefined} />}
        {(approval.shown ? [] : fields).map(({ name, label, limit }) => (
          <TextEditorField
            key={`${type}/${language}/${name}`}
            id={idOf(name)}
            field={name}
            label={label}
            note={saved?.outdated[name] && <BuiltInBadge />}
            limit={limit}
            value={values[name] ?? ""}
            state={saved ? fieldState(values, saved, name) : "built_in"}
            inherited={saved?.inherited[name]}
            language={language}
            issues={issuesOf(name)}
            judged={preview.shown?.values[name] ?? ""}
            variables={variables}
            isReadOnly={!mayWrite || !saved}
            onChange={(value) => texts.change(name, value)}
            onFocus={(area) => {
              last.current = area;
            }}
          />
        ))}
      </section>
      {mayWrite && !approval.shown && (
        <SaveBar
          texts={texts}
          isUnsaved={texts.drafts.has(keyOf(address))}
          nameOf={(at) => words.message(at.type)}
          linesOf={words.refusal}
        />
      )}
    </>
  );
}
