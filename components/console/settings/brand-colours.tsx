"use client";
// The colours of a brand in light and dark mode, its other options, and colours suggested from the chosen logo.
import { useTranslations } from "next-intl";
import { SwitchInput } from "../forms/inputs";
import { type BrandScheme, COLOURS, type Looks, THEME_MODE_VALUES } from "./brand";
import { coloursFrom } from "./logo-colours";

export interface BrandOptionsProps {
  looks: Looks;
  onChoose(part: Partial<Looks>): void;
}

export function BrandColours({ scheme, looks, onChoose }: BrandOptionsProps & { scheme: BrandScheme }) {
  const t = useTranslations();
  return (
    <div className="colours">
      {COLOURS.map((name) => (scheme === "dark" ? (`${name}Dark` as const) : name)).map((name) => (
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
  );
}

/** What applies to both modes. */
export function BrandOptions({ looks, onChoose }: BrandOptionsProps) {
  const t = useTranslations();
  return (
    <>
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
