"use client";
// Shows unsaved changes and the result of saving; always visible.
import { useTranslations } from "next-intl";
import { useRef } from "react";
import type { Refusal } from "../../../shared/refusal";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import { UndoReset } from "./undo-reset";
import type { Texts } from "./use-texts";

export interface SaveBarProps<Address> {
  texts: Texts<Address, unknown>;
  isUnsaved: boolean;
  /** Returns the name of a text. */
  nameOf(address: Address): string;
  /** Returns a sentence for each problem. */
  linesOf(refusal: Refusal): string[];
}

export function SaveBar<Address extends { language: string }>(props: SaveBarProps<Address>) {
  const { texts, isUnsaved, nameOf, linesOf } = props;
  const t = useTranslations();
  const { endonymOf } = useLanguageNames();
  const { address, isBusy, isTaken, outcome } = texts;
  // Not shown if there is newer input, which is not saved.
  const isSaid = outcome !== undefined && !(outcome.kind === "saved" && isUnsaved);
  const message = nameOf(address);
  const state = useRef<HTMLParagraphElement>(null);
  /** Keeps the focus here when a pressed button disappears. */
  const here = (act: () => void) => () => {
    state.current?.focus();
    act();
  };
  return (
    <div className="save-bar">
      {outcome?.kind === "refused" && (
        <div className="problem" role="alert">
          <ul>
            {linesOf(outcome.refusal).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="buttons">
        <p role="status" className="save-state" tabIndex={-1} ref={state}>
          {isSaid && outcome.kind === "saved" && t("texts.saved", { warnings: outcome.warnings })}
          {outcome?.kind === "reset" &&
            t("texts.wasReset", {
              message: nameOf(outcome.address),
              language: endonymOf(outcome.address.language),
            })}
          {outcome?.kind === "drafted" && t("texts.approval.drafted")}
          {outcome?.kind === "restored" && t("texts.wasRestored")}
          {outcome?.kind === "elsewhere" && t("texts.elsewhere")}
          {!isSaid && isUnsaved && t("texts.unsavedText")}
        </p>
        {outcome?.kind === "reset" && (
          <UndoReset
            key={outcome.sequence}
            isBusy={isBusy}
            onUndo={here(() => void texts.restore())}
            onOver={texts.forget}
          />
        )}
        {isUnsaved && <Button id="discard" label={t("texts.discard")} onClick={here(texts.discard)} />}
        <Button
          id="save"
          look="primary"
          label={t("texts.save")}
          aria-label={t("texts.saveOf", { message, language: endonymOf(address.language) })}
          aria-keyshortcuts="Control+S Meta+S"
          isDisabled={isTaken || !isUnsaved}
          onClick={() => texts.save()}
        />
      </div>
    </div>
  );
}
