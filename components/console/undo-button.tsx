"use client";
// Takes back what was just saved, or says why it cannot be taken back.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Undo } from "./undo";

export interface UndoButtonProps {
  id: string;
  undo: Undo;
  /** The id of what has the focus when this button is gone. */
  returnTo: string;
  /** What is taken back, where several things can be. */
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
