"use client";
// Functions for all texts, of messages and of pages: a search, and the files for translators.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "../../parts/button";
import { dialogOnDemand } from "../../parts/on-demand";
import type { TextScope } from "../address";

const SearchDialog = dialogOnDemand(() => import("./search-dialog").then((part) => part.SearchDialog));
const TranslatorsDialog = dialogOnDemand(() => import("../translators-dialog").then((part) => part.TranslatorsDialog));

export interface AllTextsProps {
  scope: TextScope;
  /** The open language. */
  language: string;
  languages: readonly string[];
  mayWrite: boolean;
}

export function AllTexts({ scope, language, languages, mayWrite }: AllTextsProps) {
  const t = useTranslations();
  const [dialog, setDialog] = useState<"search" | "translators">();
  const close = () => setDialog(undefined);
  return (
    <div className="all-texts">
      <Button id="search-texts" look="plain" label={t("texts.searchAll")} onClick={() => setDialog("search")} />
      <Button id="translators" look="plain" label={t("texts.translators")} onClick={() => setDialog("translators")} />
      <SearchDialog isOpen={dialog === "search"} scope={scope} language={language} onClose={close} />
      <TranslatorsDialog
        key={`${language}/${dialog === "translators"}`}
        isOpen={dialog === "translators"}
        scope={scope}
        language={language}
        languages={languages}
        mayWrite={mayWrite}
        onClose={close}
      />
    </div>
  );
}
