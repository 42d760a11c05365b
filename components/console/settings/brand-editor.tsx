"use client";
// Edits the colours, with a live preview of the real pages and mails.
import { useTranslations } from "next-intl";
import { useDeferredValue, useState } from "react";
import { addressOf } from "../declared";
import { useOperation } from "../operation";
import { Problems } from "../problems";
import { EmailFrame, type Scheme, type Width } from "../texts/email-frame";
import { BRAND_OPERATIONS, type Brand, COLOURS, type Colour, THEME_MODES } from "./brand";
import type { PolicyLevel } from "./policy";

export interface BrandEditorProps {
  brand: Brand;
  level: PolicyLevel;
  /** Whether the level has a branding of its own. */
  isOwn: boolean;
  mayWrite: boolean;
}

type Chosen = Record<Colour | `${Colour}Dark`, string> & { themeMode: string; disableWatermark: boolean };
type Shown = "login" | "mail";

function chosenOf(brand: Brand): Chosen {
  const names = COLOURS.flatMap((name) => [name, `${name}Dark`] as const);
  const colours = Object.fromEntries(names.map((name) => [name, brand[name]])) as Record<Colour, string>;
  return { ...colours, themeMode: brand.themeMode, disableWatermark: brand.disableWatermark } as Chosen;
}

export function BrandEditor({ brand, level, isOwn, mayWrite }: BrandEditorProps) {
  const t = useTranslations();
  const [chosen, setChosen] = useState(() => chosenOf(brand));
  const [shown, setShown] = useState<Shown>("login");
  const [scheme, setScheme] = useState<Scheme>("light");
  const [width, setWidth] = useState<Width>("desktop");
  const { add, change, render } = BRAND_OPERATIONS[level];
  const operation = useOperation({ operation: isOwn ? change : add, done: t("settings.savedDraft") });
  const preview = useDeferredValue(JSON.stringify({ ...chosen, page: shown }));
  const choose = (part: Partial<Chosen>) => setChosen((before) => ({ ...before, ...part }));
  const save = async () => {
    const answered = await operation.start(chosen);
    if (answered) operation.goOn(answered);
  };
  return (
    <div className="brand-editor">
      <fieldset className="card form bare" disabled={!mayWrite}>
        <Problems refusal={operation.refusal} />
        <div className="colours">
          {COLOURS.flatMap((name) => [name, `${name}Dark` as const]).map((name) => (
            <div className="colour" key={name}>
              <input
                type="color"
                id={name}
                value={chosen[name]}
                onChange={({ target }) => choose({ [name]: target.value })}
              />
              <label htmlFor={name}>
                {t(`settings.by.colour.${name}`)} <code>{chosen[name]}</code>
              </label>
            </div>
          ))}
        </div>
        <div className="field">
          <label htmlFor="themeMode">{t("settings.themeMode")}</label>
          <select
            id="themeMode"
            value={chosen.themeMode}
            onChange={({ target }) => choose({ themeMode: target.value })}
          >
            {THEME_MODES.map((mode) => (
              <option key={mode} value={mode}>
                {t(`settings.by.themeMode.${mode}`)}
              </option>
            ))}
          </select>
        </div>
        <div className="check">
          <input
            type="checkbox"
            id="disableWatermark"
            checked={chosen.disableWatermark}
            onChange={({ target }) => choose({ disableWatermark: target.checked })}
          />
          <label htmlFor="disableWatermark">{t("settings.disableWatermark")}</label>
        </div>
        {mayWrite && (
          <div className="buttons">
            <button
              type="button"
              id="save-brand"
              className="primary"
              aria-disabled={operation.isBusy}
              onClick={() => void save()}
            >
              {t("settings.saveDraft")}
            </button>
          </div>
        )}
      </fieldset>
      <section aria-labelledby="preview" className="section">
        <h2 id="preview">{t("settings.preview")}</h2>
        <div className="buttons">
          <Pick<Shown> label={t("settings.shown")} value={shown} options={["login", "mail"]} onPick={setShown} />
          <Pick<Scheme> label={t("settings.scheme")} value={scheme} options={["light", "dark"]} onPick={setScheme} />
          <Pick<Width> label={t("settings.width")} value={width} options={["desktop", "phone"]} onPick={setWidth} />
        </div>
        <EmailFrame
          title={t("settings.preview")}
          path={addressOf(render)}
          body={preview}
          scheme={scheme}
          width={width}
        />
      </section>
    </div>
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
