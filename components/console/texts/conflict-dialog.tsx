"use client";
// Shown if another user saved this text while it was being edited: both versions, field by field, to choose from.
// Nothing is decided automatically.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import { Moment } from "../parts/moment";
import { Difference } from "./difference";
import type { Draft } from "./drafts";
import { merge, proposeMerge, type SavedText, type Side, type Values } from "./text-state";

export interface ConflictDialogProps {
  draft: Draft;
  theirs: SavedText;
  language: string;
  /** The fields in the order of display. */
  order: readonly string[];
  labelOf(field: string): string;
  onSave(merged: { values: Values; sequence: string }): void;
  onTakeTheirs(): void;
  onClose(): void;
}

export function ConflictDialog(props: ConflictDialogProps) {
  const { draft, theirs, language, order, labelOf, onSave, onTakeTheirs, onClose } = props;
  const t = useTranslations();
  const [sides, setSides] = useState(() => proposeMerge(draft.base, draft.values, theirs.own));
  const fields = order.filter((field) => sides[field]);
  const choose = (field: string, side: Side) => setSides((before) => ({ ...before, [field]: side }));
  const save = () => onSave({ values: merge(draft.values, theirs.own, sides), sequence: theirs.sequence });
  return (
    <Dialog open onClose={onClose} title={t("texts.conflictTitle")} description={t("texts.conflictText")}>
      {theirs.changeDate !== undefined && (
        <p className="quiet">
          {t("texts.changedAt")} <Moment at={Date.parse(theirs.changeDate)} />
        </p>
      )}
      {fields.map((field) => (
        <fieldset key={field} className="choices conflict">
          <legend>{labelOf(field)}</legend>
          {(["mine", "theirs"] as const).map((side) => (
            <label key={side} className="version">
              <input
                type="radio"
                name={`side-${field}`}
                value={side}
                checked={sides[field] === side}
                onChange={() => choose(field, side)}
              />
              <span className="version-content">
                <span className="version-name">{t(`texts.by.side.${side}`)}</span>
                <Version text={(side === "mine" ? draft.values : theirs.own)[field]} language={language} />
              </span>
            </label>
          ))}
          <p className="hint">{t("texts.conflictDifference")}</p>
          <Difference before={theirs.own[field] ?? ""} after={draft.values[field] ?? ""} language={language} />
        </fieldset>
      ))}
      <div className="buttons">
        <Button label={t("texts.goOnWriting")} onClick={onClose} />
        <Button id="take-theirs" label={t("texts.takeTheirs")} onClick={onTakeTheirs} />
        <Button id="save-merged" look="primary" label={t("texts.saveChosen")} onClick={save} />
      </div>
    </Dialog>
  );
}

function Version({ text, language }: { text: string | undefined; language: string }) {
  const t = useTranslations();
  const { writingOf } = useLanguageNames();
  if (!text) return <span className="quiet">{t("texts.notSet")}</span>;
  return (
    <span className="version-text" lang={language} dir={writingOf(language)}>
      {text}
    </span>
  );
}
