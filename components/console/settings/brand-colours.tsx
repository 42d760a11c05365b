"use client";
// The colours and other options of a brand, with colours suggested from the chosen logo.
import { useTranslations } from "next-intl";
import { SwitchInput } from "../forms/inputs";
import { COLOURS, type Looks, THEME_MODE_VALUES } from "./brand";
import { coloursFrom } from "./logo-colours";

export interface BrandColoursProps {
  looks: Looks;
  onChoose(part: Partial<Looks>): void;
}

export function BrandColours({ looks, onChoose }: BrandColoursProps) {
  const t = useTranslations();
  return (
    <>
      <div className="colours">
        {COLOURS.flatMap((name) => [name, `${name}Dark` as const]).map((name) => (
          <div className="colour" key={name}>
            <input
              type="color"
              id={name}
              value={looks[name]}
              onChange={({ target }) => onChoose({ [name]: target.value })}
            />
            <label htmlFor={name}>
              {t(`settings.by.colour.${name}`)} <code>{looks[name]}</code>
            </label>
          </div>
        ))}
      </div>
      <div className="field">
        <label htmlFor="themeMode">{t("settings.themeMode")}</label>
        <select id="themeMode" value={looks.themeMode} onChange={({ target }) => onChoose({ themeMode: target.value })}>
          {THEME_MODE_VALUES.map((mode) => (
            <option key={mode} value={mode}>
              {t(`settings.by.themeMode.${mode}`)}
            </option>
          ))}
        </select>
      </div>
      <SwitchInput
        name="disableWatermark"
        label={t("settings.showProduct")}
        value={!looks.disableWatermark}
        onChange={(isOn) => onChoose({ disableWatermark: !isOn })}
      />
    </>
  );
}

interface SuggestionsProps {
  colours: readonly string[];
  chosen: string;
  onChoose(part: Partial<Looks>): void;
}

/** Suggestions that derive all colours from one; choosing one does not save it. */
export function Suggestions({ colours, chosen, onChoose }: SuggestionsProps) {
  const t = useTranslations();
  if (colours.length === 0) return null;
  return (
    <fieldset className="suggestions">
      <legend>{t("settings.fromLogo")}</legend>
      <p className="hint">{t("settings.fromLogoHint")}</p>
      <div className="buttons">
        {colours.map((colour) => (
          <button
            key={colour}
            type="button"
            className="suggestion"
            aria-pressed={chosen === colour}
            onClick={() => onChoose(coloursFrom(colour))}
          >
            <span className="swatch" aria-hidden="true" style={{ backgroundColor: colour }} />
            <code>{colour}</code>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
