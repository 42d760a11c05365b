"use client";
// A value with a copy button.
import { useTranslations } from "next-intl";
import { useState } from "react";

export function CopyValue({ value, label }: { value: string; label: string }) {
  const t = useTranslations();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <span className="copy">
      <code>{value}</code>
      <button type="button" className="plain" onClick={copy} onBlur={() => setCopied(false)}>
        <span aria-hidden="true">{copied ? t("frame.copied") : t("frame.copy")}</span>
        <span className="hidden">{`${t("frame.copy")}: ${label}`}</span>
      </button>
      <span className="hidden" role="status">
        {copied ? t("frame.copied") : ""}
      </span>
    </span>
  );
}
