"use client";
// Offers to undo a reset for ten seconds, which pause while the pointer or the focus is on it.
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";

const SECONDS = 10;

export interface UndoResetProps {
  isBusy: boolean;
  onUndo(): void;
  onOver(): void;
}

export function UndoReset({ isBusy, onUndo, onOver }: UndoResetProps) {
  const t = useTranslations();
  const [left, setLeft] = useState(SECONDS);
  const [isHeld, setHeld] = useState(false);
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    if (isHeld || isBusy) return;
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : over.current()), 1_000);
    return () => clearTimeout(timer);
  }, [left, isHeld, isBusy]);
  const hold = { onMouseEnter: () => setHeld(true), onFocus: () => setHeld(true) };
  const release = { onMouseLeave: () => setHeld(false), onBlur: () => setHeld(false) };
  return (
    <button type="button" id="undo-reset" className="primary" onClick={onUndo} {...hold} {...release}>
      {t("texts.undo")} <span aria-hidden="true">{left}</span>
    </button>
  );
}
