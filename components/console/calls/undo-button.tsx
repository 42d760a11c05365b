"use client";
// A button that undoes the last saved change, or shows why it cannot be undone.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Undo } from "./undo";

export interface UndoButtonProps {
  id: string;
  undo: Undo;
  /** The id of the element that gets the focus when this button disappears. */
  returnTo: string;
  /** A description of the change, if there are several. */
  what?: ReactNode;
}

export function UndoButton({ id, undo, returnTo, what }: UndoButtonProps) {
  const t = useTranslations();
  const take = async () => {
    if (await undo.take()) document.getElementById(returnTo)?.focus();
  };
  return (
    <>
      {undo.problem !== undefined && (
        <p role="alert" className="field-problem">
          {undo.problem}
        </p>
      )}
      {undo.isOffered && (
        <button type="button" id={id} className="plain" onClick={() => void take()}>
          {t("texts.undo")}
          {what && <span className="hidden">: {what}</span>}
        </button>
      )}
    </>
  );
}
