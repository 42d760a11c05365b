"use client";
// Asks before a text is reset: names the message, language and level, and shows the text that applies afterwards.
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import type { SavedText } from "./text-state";

export interface ResetDialogProps {
  isOpen: boolean;
  /** Name of the message. */
  message: string;
  language: string;
  /** Name of the organization; undefined at instance level. */
  organization: string | undefined;
  fields: readonly { name: string; label: string }[];
  saved: SavedText;
  /** Whether the reset is confirmed and its request is running. */
  isBusy: boolean;
  onReset(): void;
  onClose(): void;
}

export function ResetDialog(props: ResetDialogProps) {
  const { isOpen, message, language, organization, fields, saved, isBusy, onReset, onClose } = props;
  const t = useTranslations();
  const { endonymOf, writingOf } = useLanguageNames();
  const level = organization === undefined ? "instance" : "organization";
  const isByKeyboard = useRef(false);
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      // Undo is offered for ten seconds, and the Tab key would have to reach it from the other end of the page.
      returnTo={() => {
        const undo = isByKeyboard.current ? document.getElementById("undo-reset") : null;
        isByKeyboard.current = false;
        return undo ?? undefined;
      }}
      title={t("texts.resetTitle", { message, language: endonymOf(language) })}
      description={t(`texts.by.resetLevel.${level}`, { organization: organization ?? "" })}
    >
      <h3>{t("texts.resetThen")}</h3>
      <dl className="applies">
        {fields
          .filter(({ name }) => saved.own[name])
          .map(({ name, label }) => {
            const { text, language: of = language } = saved.inherited[name] ?? {};
            return (
              <div key={name}>
                <dt>{label}</dt>
                <dd lang={of} dir={writingOf(of)}>
                  {text}
                </dd>
              </div>
            );
          })}
      </dl>
      <div className="buttons">
        <Button label={t("frame.cancel")} onClick={onClose} />
        <Button
          id="reset-confirm"
          look="danger"
          label={t("texts.resetNow")}
          isDisabled={isBusy}
          onClick={({ detail }) => {
            isByKeyboard.current = detail === 0; // not a pointer
            if (!isBusy) onReset();
          }}
        />
      </div>
    </Dialog>
  );
}
