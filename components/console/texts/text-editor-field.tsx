"use client";
// One field of a message: its text, level, limit and issues. Variables and mistakes are highlighted by a copy of the
// text behind the field, which also determines its height.
import { useTranslations } from "next-intl";
import { type ReactNode, useRef } from "react";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import { isolateVariables, type OfferedVariable, pieces, type Span, spanAt, spanNow } from "./braces";
import { TextCounter } from "./counter-line";
import { insertText } from "./insert-text";
import { type FieldIssue, Issues, VariableList } from "./text-field-parts";
import { BLANK, type FieldState, type Inherited } from "./text-state";
import { useCompletion } from "./use-completion";

export interface TextEditorFieldProps {
  id: string;
  field: string;
  label: string;
  limit: number;
  value: string;
  state: FieldState;
  inherited: Inherited | undefined;
  /** The language of the field's text; the inherited text may be in another one. */
  language: string;
  issues: readonly FieldIssue[];
  /** The text that was checked; it may be a few keystrokes behind. */
  judged: string;
  variables: readonly OfferedVariable[];
  isReadOnly: boolean;
  /** Whether the field may be left empty on purpose. */
  mayBeBlank?: boolean;
  /** Content next to the label. */
  note?: ReactNode;
  onChange(value: string): void;
  onFocus(area: HTMLTextAreaElement): void;
}

export function TextEditorField(props: TextEditorFieldProps) {
  const { id, field, label, limit, value, state, inherited, issues, judged, variables, isReadOnly } = props;
  const t = useTranslations();
  const area = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(variables);
  const isSet = value !== "";
  const language = isSet ? props.language : (inherited?.language ?? props.language);
  const direction = useLanguageNames().writingOf(language);
  const hasList = completion.offered.length > 0;
  const active = completion.offered[completion.active];
  const errors = issues.filter(({ isError }) => isError);
  const spans = errors
    .map(({ position }) => spanAt(judged, position ?? 0))
    .filter((span) => isStill(span, judged, value));

  const write = (text: string) => {
    if (area.current) insertText(area.current, 0, area.current.value.length, text);
  };
  const correct = ({ position, suggestion = "" }: FieldIssue) => {
    const span = spanNow(spanAt(judged, position ?? 0), judged, value);
    if (area.current && span) insertText(area.current, span.from, span.to, suggestion);
  };

  return (
    <div className="text-field">
      <div className="text-field-head">
        <label htmlFor={id}>{label}</label>
        <span className={state === "customized" || state === "blank" ? "state good" : "state"} id={`${id}-state`}>
          {t(`texts.by.state.${state}`)}
        </span>
        {props.note}
        {isSet && <TextCounter text={value} limit={limit} label={label} />}
      </div>
      <div className="text-area">
        <div className="text-marks" aria-hidden="true" lang={language} dir={direction}>
          {pieces(value || (inherited?.text ?? ""), isSet ? spans : []).map(({ text, kind }, index) =>
            kind === "plain" || !isSet ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in order
              <mark key={index} className={kind}>
                {text}
              </mark>
            ),
          )}{" "}
        </div>
        <textarea
          ref={area}
          id={id}
          name={field}
          rows={1}
          value={value}
          placeholder={inherited && (direction === "rtl" ? isolateVariables(inherited.text) : inherited.text)}
          lang={language}
          dir={direction}
          spellCheck
          readOnly={isReadOnly}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={`${id}-state ${id}-issues`}
          aria-autocomplete="list"
          aria-controls={hasList ? `${id}-list` : undefined}
          aria-activedescendant={active && `${id}-${active.name}`}
          onChange={(event) => {
            props.onChange(event.target.value);
            completion.look(event.target);
          }}
          onKeyDown={completion.onKey}
          onSelect={(event) => completion.follow(event.currentTarget)}
          onFocus={(event) => props.onFocus(event.currentTarget)}
          onBlur={completion.close}
        />
        {hasList && (
          <VariableList
            id={id}
            offered={completion.offered}
            active={active}
            onTake={(variable) => area.current && completion.take(area.current, variable)}
          />
        )}
      </div>
      <span className="hidden" role="status">
        {hasList ? t("texts.offered", { count: completion.offered.length }) : ""}
      </span>
      <Issues id={`${id}-issues`} issues={issues} onCorrect={isReadOnly ? undefined : correct} />
      <div className="text-field-foot">
        {!isSet && <p className="hint">{t("texts.applies", { layer: inherited?.layer ?? "built_in" })}</p>}
        {state === "blank" && <p className="hint">{t("texts.blankHint")}</p>}
        {!isReadOnly && (
          <FieldActions
            label={label}
            isSet={isSet}
            inherited={inherited}
            mayBeBlank={props.mayBeBlank ?? true}
            onWrite={write}
          />
        )}
      </div>
    </div>
  );
}

interface FieldActionsProps {
  label: string;
  isSet: boolean;
  inherited: Inherited | undefined;
  mayBeBlank: boolean;
  onWrite(text: string): void;
}

function FieldActions({ label, isSet, inherited, mayBeBlank, onWrite: write }: FieldActionsProps) {
  const t = useTranslations();
  return (
    <div className="text-field-actions">
      {isSet ? (
        <Button
          look="plain"
          label={t("texts.revert")}
          aria-label={t("texts.revertOf", { field: label })}
          onClick={() => write("")}
        />
      ) : (
        <>
          <Button
            look="plain"
            label={t("texts.start")}
            aria-label={t("texts.startOf", { field: label })}
            onClick={() => write(inherited?.text ?? "")}
          />
          {mayBeBlank && (
            <Button
              look="plain"
              label={t("texts.leaveEmpty")}
              aria-label={t("texts.leaveEmptyOf", { field: label })}
              onClick={() => write(BLANK)}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Whether the text at the position of the issue is unchanged. */
const isStill = ({ from, to }: Span, judged: string, value: string): boolean =>
  judged.slice(from, to) === value.slice(from, to);
