"use client";
// Copies the text of another language as a starting point. It becomes a draft and is not saved.
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import { levelOfScope, type TextAddress, type TextScope } from "./address";
import { ask } from "./ask";
import type { MessageField } from "./messages";
import { operationsOn } from "./operations";
import { badgeOf, type MessageOverview } from "./overview";
import { Segments } from "./segments";
import { useTextLabels } from "./text-labels";
import { filledValues, savedTextOf, textInForce, type Values } from "./text-state";

export interface CopyDialogProps {
  isOpen: boolean;
  scope: TextScope;
  address: TextAddress;
  languages: readonly string[];
  message: MessageOverview;
  fields: readonly { name: MessageField }[];
  onCopy(values: Values): void;
  onClose(): void;
}

export function CopyDialog(props: CopyDialogProps) {
  const { isOpen, scope, address, languages, message, fields, onCopy, onClose } = props;
  const t = useTranslations();
  const words = useTextLabels();
  const { endonymOf } = useLanguageNames();
  const level = levelOfScope(scope);
  const others = languages.filter((language) => language !== address.language);
  const customized = others.filter((language) => badgeOf(message, level, language).state === "customized");
  const [chosen, setChosen] = useState<string>();
  const [extent, setExtent] = useState<"customized" | "all">();
  const [hasFailed, setFailed] = useState(false);
  const isThere = useRef(isOpen);
  isThere.current = isOpen;
  // Falls back to English, in which every text was first written.
  const from = chosen ?? customized[0] ?? others.find((language) => language === "en") ?? others[0] ?? address.language;
  const copied = extent ?? (customized.includes(from) ? "customized" : "all");

  const copy = async () => {
    const answer = await ask(operationsOn(scope).explain, { at: { ...address, language: from } });
    if (!isThere.current) return; // cancelled meanwhile
    setFailed(!answer.ok);
    if (!answer.ok) return;
    const text = savedTextOf(level, answer.body);
    const all = Object.fromEntries(fields.map(({ name }) => [name, textInForce(text.own, text, name)]));
    onCopy(filledValues(copied === "all" ? all : text.own));
  };
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={t("texts.copyTitle", { language: endonymOf(address.language) })}
      description={t("texts.copyText")}
    >
      <label className="field">
        <span>{t("texts.copyFrom")}</span>
        <select value={from} onChange={(event) => setChosen(event.target.value)}>
          {others.map((language) => (
            <option key={language} value={language} lang={language}>
              {`${endonymOf(language)} · ${words.badge(badgeOf(message, level, language))}`}
            </option>
          ))}
        </select>
      </label>
      <Segments
        name="extent"
        label={t("texts.copyExtent")}
        value={copied}
        options={{ customized: t("texts.copyCustomized"), all: t("texts.copyAll") }}
        onChoose={setExtent}
      />
      {copied === "customized" && !customized.includes(from) && <p className="hint">{t("texts.copyNothing")}</p>}
      {hasFailed && <p className="problem">{t("frame.failed")}</p>}
      <div className="buttons">
        <Button label={t("frame.cancel")} onClick={onClose} />
        <Button id="copy-confirm" look="primary" label={t("texts.copyNow")} onClick={copy} />
      </div>
    </Dialog>
  );
}
