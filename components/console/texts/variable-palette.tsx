"use client";
// The variables with their meaning and an example. A click inserts one at the last caret position.
import { useTranslations } from "next-intl";
import type { OfferedVariable } from "./braces";
import type { MessageType } from "./messages";
import { useTextLabels } from "./text-labels";

export interface VariablePaletteProps {
  type: MessageType;
  variables: readonly OfferedVariable[];
  /** Undefined if the text may not be edited. */
  onTake: ((variable: OfferedVariable) => void) | undefined;
}

export function VariablePalette({ type, variables, onTake }: VariablePaletteProps) {
  const t = useTranslations();
  const words = useTextLabels();
  return (
    <details className="palette">
      <summary>{t("texts.variables")}</summary>
      <p className="hint">{t("texts.variablesHint")}</p>
      <ul>
        {variables.map((variable) => (
          <li key={variable.name}>
            {onTake ? (
              <button
                type="button"
                className="suggestion"
                draggable
                aria-label={t("texts.insert", { variable: variable.placeholder })}
                onDragStart={(event) => event.dataTransfer.setData("text/plain", variable.placeholder)}
                onClick={() => onTake(variable)}
              >
                <code dir="ltr">{variable.placeholder}</code>
              </button>
            ) : (
              <code dir="ltr">{variable.placeholder}</code>
            )}
            <span>
              {words.variable(type, variable)} <bdi className="quiet">{variable.sample}</bdi>
              {variable.mayBeEmpty && <span className="quiet"> · {t("texts.mayBeEmpty")}</span>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
