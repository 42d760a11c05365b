"use client";
// Asks before a text is reset: names message, language and level, and shows what people get afterwards.
import { useTranslations } from "next-intl";
import { Dialog } from "../dialog";
import type { MessageField } from "./messages";
import type { SavedText } from "./text-state";
import { endonymOf, writingOf } from "./words";

export interface ResetDialogProps {
  isOpen: boolean;
  /** Name of the message. */
  message: string;
  language: string;
  /** Name of the organization; undefined at instance level. */
  organization: string | undefined;
  fields: readonly { name: MessageField }[];
  saved: SavedText;
  onReset(): void;
  onClose(): void;
}

export function ResetDialog(props: ResetDialogProps) {
  const { isOpen, message, language, organization, fields, saved, onReset, onClose } = props;
  const t = useTranslations();
  const level = organization === undefined ? "instance" : "organization";
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(wanted) => !wanted && onClose()}
      title={t("texts.resetTitle", { message, language: endonymOf(language) })}
      description={t(`texts.by.resetLevel.${level}`, { organization: organization ?? "" })}
    >
      <h3>{t("texts.resetThen")}</h3>
      <dl className="applies">
        {fields
          .filter(({ name }) => saved.own[name])
          .map(({ name }) => (
            <div key={name}>
              <dt>{t(`texts.by.field.${name}`)}</dt>
              <dd lang={language} dir={writingOf(language)}>
                {saved.inherited[name]?.text}
              </dd>
            </div>
          ))}
      </dl>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {t("frame.cancel")}
        </button>
        <button type="button" id="reset-confirm" className="danger" onClick={onReset}>
          {t("texts.resetNow")}
        </button>
      </div>
    </Dialog>
  );
}
