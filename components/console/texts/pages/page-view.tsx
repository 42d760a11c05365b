"use client";
// A preview of the page with the edited words. A click on a word opens its field.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FramedView } from "../framed-view";
import type { PreviewState } from "../use-rendered-preview";
import type { PagePreview } from "./words-kind";

export interface PageViewProps {
  preview: PreviewState<PagePreview>;
  chosen: string | undefined;
  onPick(word: string): void;
}

export function PageView({ preview: { shown, refusal }, chosen, onPick }: PageViewProps) {
  const t = useTranslations();
  const [fixed, setFixed] = useState<string>();
  const reason = shown.preview.fixed.find(({ path }) => path === fixed)?.reason;
  return (
    <>
      <h2>{t("texts.preview")}</h2>
      {refusal && <p className="problem">{t("texts.noPreview")}</p>}
      <FramedView
        title={t("texts.pagePreview")}
        path={shown.path}
        body={shown.body}
        firstWidth="desktop"
        picker={{
          chosen,
          onPick(word) {
            setFixed(undefined);
            onPick(word);
          },
          onFixed: setFixed,
        }}
      >
        <p role="status" className="hint">
          {reason && t(reason === "protects" ? "texts.fixedProtects" : "texts.fixedForm")}
        </p>
      </FramedView>
    </>
  );
}
