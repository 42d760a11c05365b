"use client";
// The buttons below edited values: save, discard, and undo afterwards. While there are unsaved changes, they stay in
// view, with the list of changes.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Undo } from "../calls/undo";
import { UndoButton } from "../calls/undo-button";
import { Button } from "../parts/button";

export interface SaveButtonsProps {
  ids: { submit: string; discard: string; undo: string };
  submit: ReactNode;
  look?: "primary" | "danger" | "plain";
  isUnsaved: boolean;
  isDisabled: boolean;
  /** Called on save; without it, the surrounding form is sent. */
  onSave?(): void;
  onDiscard(): void;
  undo: Undo;
  /** Shown while there are no unsaved changes. */
  state?: ReactNode;
  /** What will change. */
  changes?: ReactNode;
  children?: ReactNode;
}

export function SaveButtons(props: SaveButtonsProps) {
  const { ids, submit, look, isUnsaved, isDisabled, onSave, onDiscard, undo, state, changes, children } = props;
  const t = useTranslations();
  return (
    <div className={isUnsaved ? "bare unsaved-bar" : "bare"}>
      {changes}
      <div className="buttons">
        <Button
          id={ids.submit}
          type={onSave ? "button" : "submit"}
          look={look}
          label={submit}
          isDisabled={isDisabled}
          onClick={onSave}
        />
        {isUnsaved && <Button id={ids.discard} label={t("texts.discard")} onClick={onDiscard} />}
        {children}
        <p role="status" className="save-state">
          {isUnsaved ? t("frame.changed") : state}
        </p>
        {!isUnsaved && <UndoButton id={ids.undo} undo={undo} returnTo={ids.submit} />}
      </div>
    </div>
  );
}
