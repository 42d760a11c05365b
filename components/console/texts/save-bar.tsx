"use client";
// Unsaved changes and the result of saving, always visible.
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { UndoReset } from "./undo-reset";
import { keyOf, type Texts } from "./use-texts";
import { endonymOf, useWords } from "./words";

export function SaveBar({ texts }: { texts: Texts }) {
  const t = useTranslations();
  const words = useWords();
  const { address, drafts, isBusy, outcome } = texts;
  const isUnsaved = drafts.has(keyOf(address));
  const message = words.message(address.type);
  const state = useRef<HTMLParagraphElement>(null);
  /** For buttons that disappear when they are pressed: keeps the focus here. */
  const here = (act: () => void) => () => {
    state.current?.focus();
    act();
  };
  return (
    <div className="save-bar">
      {outcome?.kind === "refused" && (
        <div className="problem" role="alert">
          <ul>
            {words.refusal(outcome.refusal).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="buttons">
        <p role="status" className="save-state" tabIndex={-1} ref={state}>
          {outcome?.kind === "saved" && t("texts.saved", { warnings: outcome.warnings })}
          {outcome?.kind === "reset" &&
            t("texts.wasReset", {
              message: words.message(outcome.address.type),
              language: endonymOf(outcome.address.language),
            })}
          {outcome?.kind === "restored" && t("texts.wasRestored")}
          {outcome?.kind === "elsewhere" && t("texts.elsewhere")}
          {outcome === undefined && isUnsaved && t("texts.unsavedText")}
        </p>
        {outcome?.kind === "reset" && (
          <UndoReset
            key={outcome.sequence}
            isBusy={isBusy}
            onUndo={here(() => void texts.restore())}
            onOver={texts.forget}
          />
        )}
        {isUnsaved && (
          <button type="button" id="discard" onClick={here(texts.discard)}>
            {t("texts.discard")}
          </button>
        )}
        <button
          type="button"
          id="save"
          className="primary"
          aria-label={t("texts.saveOf", { message, language: endonymOf(address.language) })}
          aria-keyshortcuts="Control+S Meta+S"
          aria-disabled={isBusy || !isUnsaved}
          onClick={() => void texts.save()}
        >
          {t("texts.save")}
        </button>
      </div>
    </div>
  );
}
