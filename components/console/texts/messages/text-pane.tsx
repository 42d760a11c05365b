"use client";
// Edits one message in one language: language tabs, fields in the order of a mail, variables, and the actions at the
// end.
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { Problems } from "../../calls/problems";
import { Button } from "../../parts/button";
import type { Level } from "../../parts/level";
import type { TextAddress } from "../address";
import type { Approval } from "../approval/use-approval";
import type { OfferedVariable } from "../braces";
import { BuiltInBadge } from "../built-in-notice";
import { EditorPane, useRefusalFocus } from "../editor/editor-pane";
import { insertText } from "../insert-text";
import { keyOf } from "../message-kind";
import type { MessageField } from "../messages";
import type { MessageOverview, TextsOverview } from "../overview";
import { TextEditorField } from "../text-editor-field";
import type { FieldIssue } from "../text-field-parts";
import { useTextLabels } from "../text-labels";
import { fieldState } from "../text-state";
import type { Texts } from "../use-texts";
import { VariablePalette } from "../variable-palette";
import type { MessagePreviewState } from "./message-preview";

export type TextDialog = "reset" | "copy" | "curl" | "history" | "built-in";

export interface TextPaneProps {
  texts: Texts<TextAddress, TextsOverview>;
  approval: Approval;
  level: Level;
  message: MessageOverview;
  fields: readonly { name: MessageField; label: string; limit: number }[];
  labelOf(field: string): string;
  preview: MessagePreviewState;
  variables: readonly OfferedVariable[];
  mayWrite: boolean;
  /** Whether the visitor may see sent messages. */
  readsMails: boolean;
  /** Whether the visitor may change texts but not this one, because it can open accounts. */
  lacksPrivilege: boolean;
  onDialog(dialog: TextDialog): void;
}

const idOf = (field: string) => `text-${field}`;

export function TextPane(props: TextPaneProps) {
  const { texts, approval, level, message, fields, preview, variables, mayWrite, readsMails } = props;
  const { lacksPrivilege, labelOf, onDialog } = props;
  const t = useTranslations();
  const labels = useTextLabels();
  const { address, saved, values, outcome } = texts;
  const { type, language } = address;
  const last = useRef<HTMLTextAreaElement>(null);

  useRefusalFocus(outcome, idOf);

  const take = ({ placeholder }: OfferedVariable) => {
    const written = last.current?.isConnected ? last.current : document.getElementById(idOf("text"));
    if (!(written instanceof HTMLTextAreaElement)) return;
    insertText(written, written.selectionStart, written.selectionEnd, placeholder);
  };
  const judged = preview.shown.preview;
  const issuesOf = (field: MessageField): FieldIssue[] =>
    preview.isCurrent
      ? [
          ...judged.errors.map((issue) => ({ ...issue, isError: true })),
          ...judged.warnings.map((issue) => ({ ...issue, isError: false })),
        ].filter((issue) => issue.field === field)
      : [];

  return (
    <EditorPane
      texts={texts}
      approval={approval}
      level={level}
      message={message}
      languages={texts.overview.languages}
      heading={<h2 id="message-name">{labels.message(type)}</h2>}
      panel="text-panel"
      mayWrite={mayWrite}
      mayReset={Object.keys(saved?.own ?? {}).length > 0}
      historyId="text-history"
      actions={[
        <Button
          key="copy"
          id="copy-text"
          look="plain"
          label={t("texts.copy")}
          isDisabled={!saved}
          onClick={() => saved && onDialog("copy")}
        />,
        <Button key="curl" id="show-curl" look="plain" label={t("texts.curl")} onClick={() => onDialog("curl")} />,
      ]}
      about={
        <p className="hint">
          {t(`texts.by.about.${type}`)}{" "}
          {readsMails && (
            <a id="sent-messages" href={`/console/mail?${new URLSearchParams({ type })}`}>
              {t("texts.sentMessages")}
            </a>
          )}
        </p>
      }
      banner={
        <>
          {!mayWrite && <p className="banner">{t(lacksPrivilege ? "texts.readOnlyPower" : "texts.readOnly")}</p>}
          {!mayWrite && outcome?.kind === "refused" && <Problems refusal={outcome.refusal} />}
        </>
      }
      lead={message.isShortMessage && <p className="hint">{t("texts.shortMessage")}</p>}
      addressIn={(other) => ({ type, language: other })}
      keyOf={keyOf}
      labelOf={labelOf}
      nameOf={(at) => labels.message(at.type)}
      linesOf={labels.refusal}
      onDialog={onDialog}
      fields={
        !approval.shown && (
          <>
            <VariablePalette type={type} variables={variables} onTake={mayWrite ? take : undefined} />
            {fields.map(({ name, label, limit }) => (
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
                judged={preview.shown.values[name] ?? ""}
                variables={variables}
                isReadOnly={!mayWrite || !saved}
                onChange={(value) => texts.change(name, value)}
                onFocus={(area) => {
                  last.current = area;
                }}
              />
            ))}
          </>
        )
      }
    />
  );
}
