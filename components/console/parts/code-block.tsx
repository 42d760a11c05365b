"use client";
// Code of several lines, with a copy button, and a download button if it is a file to keep.
import { useTranslations } from "next-intl";
import { CopyTextButton } from "./copy-text";
import { downloadText } from "./download";

export interface CodeBlockProps {
  code: string;
  label: string;
  /** The file name of the download. */
  download?: string;
}

export function CodeBlock({ code, label, download }: CodeBlockProps) {
  const t = useTranslations();
  return (
    <figure className="code-block">
      <figcaption>
        {/* A file name starts with a dot, which must come first in every language. */}
        <span dir="auto">{label}</span>
        <span className="code-actions">
          {download !== undefined && (
            <button type="button" className="plain" onClick={() => downloadText(download, code)}>
              <span aria-hidden="true">{t("texts.download")}</span>
              <span className="hidden">{t("frame.downloadAs", { file: label })}</span>
            </button>
          )}
          <CopyTextButton text={code} label={label} />
        </span>
      </figcaption>
      {/* Not a section: a page may have several commands of the same name, and landmarks have unique names. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1) */}
      <div role="group" tabIndex={0} aria-label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </div>
    </figure>
  );
}
