"use client";
// Copies a text to the clipboard.
import { useTranslations } from "next-intl";
import { useState } from "react";

export interface CopyTextButtonProps {
  text: string;
  /** What is copied, for screen readers. */
  label: string;
}

export function CopyTextButton({ text, label }: CopyTextButtonProps) {
  const t = useTranslations();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <>
      <button type="button" className="plain" onClick={copy} onBlur={() => setCopied(false)}>
        <span aria-hidden="true">{isCopied ? t("frame.copied") : t("frame.copy")}</span>
        <span className="hidden">{`${t("frame.copy")}: ${label}`}</span>
      </button>
      <span className="hidden" role="status">
        {isCopied ? t("frame.copied") : ""}
      </span>
    </>
  );
}
