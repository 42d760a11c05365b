"use client";
// Explains the effective text: for every field, its level and, if it is customized, the difference from the inherited
// text.
import { useTranslations } from "next-intl";
import { useLanguageNames } from "../parts/known-languages";
import { Difference } from "./difference";
import type { MessageField } from "./messages";
import { fieldState, isBlank, type SavedText, type Values } from "./text-state";

export interface ComparisonProps {
  fields: readonly { name: MessageField }[];
  values: Values;
  saved: SavedText | undefined;
  language: string;
}

export function Comparison({ fields, values, saved, language }: ComparisonProps) {
  const t = useTranslations();
  const { endonymOf } = useLanguageNames();
  if (!saved) return null;
  const isCustomized = fields.some(({ name }) => values[name]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1)
    <section className="comparison" tabIndex={0} aria-label={t("texts.compare")}>
      <p className="hint">{t("texts.whoGets", { language: endonymOf(language) })}</p>
      {!isCustomized && <p>{t("texts.nothingCustomized")}</p>}
      <dl>
        {fields.map(({ name }) => {
          const inherited = saved.inherited[name];
          const own = values[name];
          return (
            <div key={name}>
              <dt>
                {t(`texts.by.field.${name}`)}{" "}
                <span className="state">{t(`texts.by.state.${fieldState(values, saved, name)}`)}</span>
              </dt>
              <dd>
                {own ? (
                  <>
                    <p className="hint">{t("texts.insteadOf", { layer: inherited?.layer ?? "built_in" })}</p>
                    <Difference before={inherited?.text ?? ""} after={isBlank(own) ? "" : own} language={language} />
                  </>
                ) : (
                  <Difference
                    before={inherited?.text ?? ""}
                    after={inherited?.text ?? ""}
                    language={inherited?.language ?? language}
                  />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
