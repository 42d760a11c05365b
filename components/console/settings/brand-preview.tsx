"use client";
// A preview of the real page in the chosen colours, in light and dark mode, each with its contrasts.
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { addressOf } from "../../../shared/declared";
import { callOperation } from "../calls/call";
import type { Level } from "../parts/level";
import { useServerTexts } from "../parts/server-texts";
import { EmailFrame, type Width } from "../texts/email-frame";
import { BRAND_OPERATIONS, BRAND_SCHEMES, type Contrast, type Looks } from "./brand";

export interface BrandPreviewProps {
  level: Level;
  looks: Looks;
  /** The base64 of a logo that is not saved. */
  logo: string | undefined;
  /** The contrasts of the initial colours. */
  contrasts: readonly Contrast[];
}

type Shown = "login" | "mail";
/** The delay in milliseconds after the last change of a colour before the preview is requested. */
const REST = 200;

export function BrandPreview({ level, looks, logo, contrasts }: BrandPreviewProps) {
  const t = useTranslations();
  const [shown, setShown] = useState<Shown>("login");
  const [width, setWidth] = useState<Width>("phone");
  // The preview uses the language of the visitor, including right-to-left languages.
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
  const schemes = BRAND_SCHEMES.filter(
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
              <ul className="verdicts">
                {judged.contrasts.map(
                  (contrast) => contrast.scheme === scheme && <Verdict key={contrast.of} {...contrast} />,
                )}
              </ul>
            </section>
          );
        })}
      </div>
    </section>
  );
}

/** A contrast by WCAG 2.2 §1.4.3, level AA. */
function Verdict({ of, ratio, isEnough, shown }: Contrast) {
  const t = useTranslations();
  const text = useServerTexts(`${ratio} ${shown}`);
  return (
    <li className={isEnough ? "enough" : "weak"} suppressHydrationWarning>
      {text(() => {
        const verdict = t(isEnough ? "settings.enough" : "settings.tooWeak", { ratio, shown });
        return `${t(`settings.by.contrast.${of}`)}: ${verdict}`;
      })}
    </li>
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
