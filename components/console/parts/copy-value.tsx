"use client";
// A value with a copy button.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { breakable } from "./breakable";
import { Icon } from "./icons";

export interface CopyValueProps {
  value: string;
  label: string;
  /** Whether it is in a list: the value is cut, and the button appears when the row is used. */
  isBrief?: boolean;
}

export function CopyValue({ value, label, isBrief = false }: CopyValueProps) {
  const t = useTranslations();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  const shown = isBrief ? (
    <Icon name={copied ? "check" : "copy"} />
  ) : (
    <span aria-hidden="true">{copied ? t("frame.copied") : t("frame.copy")}</span>
  );
  return (
    <span className={isBrief ? "copy brief" : value.includes("/") ? "copy address" : "copy"}>
      <code title={isBrief ? value : undefined}>{isBrief ? value : breakable(value)}</code>
      <button type="button" className="plain" onClick={copy} onBlur={() => setCopied(false)}>
        {shown}
        <span className="hidden">{`${t("frame.copy")}: ${label}`}</span>
      </button>
      <span className="hidden" role="status">
        {copied ? t("frame.copied") : ""}
      </span>
    </span>
  );
}
