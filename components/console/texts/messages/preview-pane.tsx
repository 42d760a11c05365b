"use client";
// Previews of the text: in the inbox, as a mail in light and dark mode, at desktop and phone width, and as plain text,
// for sample users with difficult names; and the difference from the inherited text.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useLanguageNames } from "../../parts/known-languages";
import { Tabs } from "../../parts/tabs";
import { FramedView } from "../framed-view";
import { PhoneCost } from "../phone-cost";
import type { SamplePerson } from "../text-state";
import { useNarrow } from "../use-narrow";
import type { MessagePreviewState } from "./message-preview";

const SAMPLES = ["usual", "long_name", "no_name", "right_to_left", "markup"] as const satisfies SamplePerson[];

export interface PreviewPaneProps {
  preview: MessagePreviewState;
  sample: SamplePerson;
  onSample(sample: SamplePerson): void;
  language: string;
  /** The sender's name. */
  sender: string;
  isShortMessage: boolean;
  comparison: ReactNode;
  trial: ReactNode;
}

export function PreviewPane(props: PreviewPaneProps) {
  const { preview, sample, onSample, language, sender, isShortMessage, comparison, trial } = props;
  const t = useTranslations();
  const { writingOf } = useLanguageNames();
  const isNarrow = useNarrow();
  const { shown, refusal } = preview;
  const writing = { lang: language, dir: writingOf(language) };
  const email = (
    <FramedView
      title={t("mail.frame")}
      path={shown.path}
      body={shown.body}
      firstWidth={isNarrow ? "phone" : "desktop"}
    />
  );
  const plain = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1)
    <section className="plain-text" tabIndex={0} aria-label={t("mail.text")}>
      {/* Each paragraph gets the direction of its own text, as in mail programs. */}
      <pre lang={language} dir="auto">
        {shown.preview.text}
      </pre>
    </section>
  );
  const bubble = (
    <>
      <p className="phone-text" {...writing}>
        {shown.preview.phoneText}
      </p>
      <PhoneCost segments={shown.preview.segments} />
    </>
  );
  const compare = { value: "compare", label: t("texts.compare"), content: comparison };
  const mailViews = [
    { value: "html", label: t("mail.html"), content: email },
    { value: "text", label: t("mail.text"), content: plain },
    compare,
  ];
  const phoneViews = [{ value: "phone", label: t("texts.onPhone"), content: bubble }, compare];
  return (
    <>
      <div className="preview-head">
        <h2>{t("texts.preview")}</h2>
        <label>
          <span>{t("texts.sample")}</span>
          <select value={sample} onChange={(event) => onSample(event.target.value as SamplePerson)}>
            {SAMPLES.map((person) => (
              <option key={person} value={person}>
                {t(`texts.by.sample.${person}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {refusal && <p className="problem">{t("texts.noPreview")}</p>}
      {!isShortMessage && (
        <dl className="inbox">
          <dt className="hidden">{t("texts.inbox")}</dt>
          <dd>
            <bdi className="sender">{sender}</bdi>
            <span className="inbox-line" {...writing}>
              <strong>{shown.preview.subject}</strong> <span>{shown.preview.preHeader}</span>
            </span>
          </dd>
        </dl>
      )}
      {/* The key resets the tabs: a text message has other views than a mail. */}
      <Tabs key={String(isShortMessage)} label={t("mail.views")} tabs={isShortMessage ? phoneViews : mailViews} />
      {trial}
    </>
  );
}
