"use client";
// The button that opens the translation file of one language, to download and to upload it.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import { TranslatorsDialog, type TranslatorsDialogProps } from "./translators-dialog";

export function TranslationFile(props: Omit<TranslatorsDialogProps, "isOpen" | "onClose">) {
  const t = useTranslations();
  const { endonymOf } = useLanguageNames();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        id={`file-${props.language}`}
        look="plain"
        label={t("texts.translators")}
        aria-label={t("texts.translatorsTitle", { language: endonymOf(props.language) })}
        onClick={() => setOpen(true)}
      />
      {isOpen && <TranslatorsDialog {...props} isOpen onClose={() => setOpen(false)} />}
    </>
  );
}
