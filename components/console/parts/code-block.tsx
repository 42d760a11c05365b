"use client";
// Code of several lines, with a copy button.
import { useTranslations } from "next-intl";
import { useState } from "react";

export function CodeBlock({ code, label }: { code: string; label: string }) {
  const t = useTranslations();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
  };
  return (
    <figure className="code-block">
      <figcaption>
        {/* A file name starts with a dot, which must come first in every language. */}
        <span dir="auto">{label}</span>
        <button type="button" className="plain" onClick={copy} onBlur={() => setCopied(false)}>
          <span aria-hidden="true">{copied ? t("frame.copied") : t("frame.copy")}</span>
          <span className="hidden">{`${t("frame.copy")}: ${label}`}</span>
        </button>
        <span className="hidden" role="status">
          {copied ? t("frame.copied") : ""}
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1) */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  );
}
