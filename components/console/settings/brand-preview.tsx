"use client";
// The real page in the colours being chosen, by day and by night beside each other, each with how well it can be read.
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { callOperation } from "../call";
import { addressOf } from "../declared";
import type { Level } from "../level";
import { EmailFrame, type Width } from "../texts/email-frame";
import { BRAND_OPERATIONS, type Contrast, type Looks } from "./brand";

export interface BrandPreviewProps {
  level: Level;
  looks: Looks;
  /** Base64, of a logo that is not saved. */
  logo: string | undefined;
  /** How well the looks of the beginning can be read. */
  contrasts: readonly Contrast[];
}

type Shown = "login" | "mail";
const SCHEMES = ["light", "dark"] as const;
/** How long the colours must rest before they are judged, milliseconds. */
const REST = 200;

export function BrandPreview({ level, looks, logo, contrasts }: BrandPreviewProps) {
  const t = useTranslations();
  const [shown, setShown] = useState<Shown>("login");
  const [width, setWidth] = useState<Width>("phone");
  // Whoever chooses the look reads it in their own language, from right to left, too.
  const language = useLocale();
  const wanted = JSON.stringify({ ...looks, logo, page: shown, language });
  const [preview, setPreview] = useState(wanted);
  const [judged, setJudged] = useState({ preview: contrasts.length > 0 ? wanted : undefined, contrasts });
  const { render } = BRAND_OPERATIONS[level];
  useEffect(() => {
    if (wanted === judged.preview) return setPreview(wanted);
    const asked = new AbortController();
    const timer = setTimeout(async () => {
      setPreview(wanted);
      const request = { body: JSON.parse(wanted), signal: asked.signal };
      const answer = await callOperation(render, request).catch(() => undefined);
      if (answer?.ok && !asked.signal.aborted) setJudged({ preview: wanted, contrasts: answer.body.contrasts });
    }, REST);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [wanted, judged.preview, render]);
  const mode = looks.themeMode;
  const schemes = SCHEMES.filter(
    (scheme) => mode === "THEME_MODE_AUTO" || mode === `THEME_MODE_${scheme.toUpperCase()}`,
  );
  return (
    <section aria-labelledby="preview" className="section">
      <h2 id="preview">{t("settings.preview")}</h2>
      <div className="buttons">
        <Pick<Shown> label={t("settings.shown")} value={shown} options={["login", "mail"]} onPick={setShown} />
        <Pick<Width> label={t("settings.width")} value={width} options={["desktop", "phone"]} onPick={setWidth} />
      </div>
      <div className="schemes">
        {schemes.map((scheme) => {
          const name = t(`settings.by.preview.${scheme}`);
          return (
            <section key={scheme} aria-label={name} className="scheme">
              <h3>{name}</h3>
              <EmailFrame
                title={`${t("settings.preview")}: ${name}`}
                path={addressOf(render)}
                body={preview}
                scheme={scheme}
                width={width}
              />
              <Verdicts contrasts={judged.contrasts.filter((contrast) => contrast.scheme === scheme)} />
            </section>
          );
        })}
      </div>
    </section>
  );
}

/** WCAG 2.2 §1.4.3, level AA. */
function Verdicts({ contrasts }: { contrasts: readonly Contrast[] }) {
  const t = useTranslations();
  return (
    <ul className="verdicts">
      {contrasts.map(({ of, ratio, isEnough, shown }) => (
        <li key={of} className={isEnough ? "enough" : "weak"}>
          {t(`settings.by.contrast.${of}`)}: {t(isEnough ? "settings.enough" : "settings.tooWeak", { ratio, shown })}
        </li>
      ))}
    </ul>
  );
}

interface PickProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Value[];
  onPick(value: Value): void;
}

function Pick<Value extends string>({ label, value, options, onPick }: PickProps<Value>) {
  const t = useTranslations();
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onPick(target.value as Value)} className="pick">
      {options.map((option) => (
        <option key={option} value={option}>
          {t(`settings.by.preview.${option as string}`)}
        </option>
      ))}
    </select>
  );
}
