"use client";
// One setting of a policy: its control, and whether it is inherited, with a button to inherit it again.
import { useTranslations } from "next-intl";
import { Checkboxes, SwitchInput, TextInput } from "../forms/inputs";
import { useServerTexts } from "../parts/server-texts";
import { DurationField } from "./duration-field";
import type { PolicyField } from "./policy";
import type { PolicyValue } from "./policy-state";
import { FACTOR_OPTIONS, isOn, useValueText } from "./policy-values";

export interface PolicyFieldProps {
  field: PolicyField;
  value: PolicyValue;
  /** Whether this level sets the value itself. */
  isOwn: boolean;
  /** The value of the level above; undefined if none exists. */
  inherited: PolicyValue | undefined;
  onChange(value: PolicyValue): void;
  onInherit(): void;
}

export function PolicyFieldView(props: PolicyFieldProps) {
  const { field, isOwn, inherited, onInherit } = props;
  const t = useTranslations();
  const textOf = useValueText();
  return (
    <div className="policy-field">
      <Control {...props} />
      <Inheritance
        label={t(`settings.by.field.${field.text ?? field.name}`)}
        isOwn={isOwn}
        inherited={inherited === undefined ? undefined : textOf(field, inherited)}
        onInherit={onInherit}
      />
    </div>
  );
}

export interface InheritanceProps {
  /** The name of the setting. */
  label: string;
  isOwn: boolean;
  /** The value of the level above in words; undefined if the policy does not say which settings are inherited. */
  inherited: string | undefined;
  onInherit(): void;
}

/** Whether a setting is inherited, or what it would be. */
export function Inheritance({ label, isOwn, inherited, onInherit }: InheritanceProps) {
  const t = useTranslations();
  if (inherited === undefined) return null;
  return (
    <p className="inheritance">
      {isOwn ? (
        <>
          {t("settings.serviceSays", { value: inherited })}{" "}
          <button type="button" className="plain" onClick={onInherit}>
            {t("settings.useService")}
            <span className="hidden">: {label}</span>
          </button>
        </>
      ) : (
        t("settings.fromService")
      )}
    </p>
  );
}

/** The hint of a number says what happens at this number. */
function CountHint({ text, count }: { text: Parameters<ReturnType<typeof useTranslations>>[0]; count: number }) {
  const t = useTranslations();
  const shown = useServerTexts(String(count));
  return <span suppressHydrationWarning>{shown(() => t(text, { count }))}</span>;
}

function Control({ field, value, onChange }: PolicyFieldProps) {
  const t = useTranslations();
  const { name, kind, text = name, min = 0, max = 0 } = field;
  const label = t(`settings.by.field.${text}`);
  const hinted = `settings.by.hint.${text}`;
  const hint =
    t.has(hinted) && (kind === "number" ? <CountHint text={hinted} count={Number(value) || max} /> : t(hinted));
  const shared = { name, label, hint };
  switch (kind) {
    case "switch":
      return (
        <SwitchInput
          {...shared}
          value={isOn(field, value)}
          onChange={(on) => onChange(field.isInverted === true ? !on : on)}
        />
      );
    case "factors": {
      const options = FACTOR_OPTIONS.map(({ value, name }) => ({ value, label: t(`directory.by.factor.${name}`) }));
      const chosen = value as readonly string[];
      return <Checkboxes name={name} label={label} hint={hint} options={options} value={chosen} onChange={onChange} />;
    }
    case "duration":
      return <DurationField {...shared} value={String(value)} min={min} max={max} onChange={onChange} />;
    case "number":
      return (
        <TextInput {...shared} type="number" value={String(value)} min={min} max={max} required onChange={onChange} />
      );
    default:
      return (
        <TextInput
          {...shared}
          inputMode={kind === "link" ? "url" : "email"}
          value={String(value)}
          onChange={onChange}
        />
      );
  }
}
