"use client";
// The switch of a policy: whether the organization overrides the service's. Changing a setting turns it on, too.
import { useTranslations } from "next-intl";
import { useReady } from "../forms/use-ready";

export interface OverrideSwitchProps {
  id: string;
  /** The name of the policy. */
  title: string;
  isOn: boolean;
  mayWrite: boolean;
  onTurn(isOn: boolean): void;
}

export function OverrideSwitch({ id, title, isOn, mayWrite, onTurn }: OverrideSwitchProps) {
  const t = useTranslations();
  const isReady = useReady();
  return (
    <div className="switch-field override">
      <input
        type="checkbox"
        id={id}
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its state (HTML-AAM)
        role="switch"
        className="switch"
        checked={isOn}
        disabled={!isReady || !mayWrite}
        aria-describedby={`${id}-state`}
        onChange={({ target }) => onTurn(target.checked)}
      />
      <div>
        <label htmlFor={id}>
          {t("settings.override")}
          <span className="hidden">: {title}</span>
        </label>
        <p className="hint state-text" id={`${id}-state`}>
          {t(isOn ? "settings.own" : "settings.inherited")}
        </p>
      </div>
    </div>
  );
}
