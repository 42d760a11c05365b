// Content below a field: the variables that are offered while `{{` is typed, and the issues.
import { useTranslations } from "next-intl";
import type { OfferedVariable } from "./braces";
import { useTextLabels } from "./text-labels";
import type { MessagePreview } from "./text-state";

export type FieldIssue = Omit<MessagePreview["errors"][number], "field"> & { isError: boolean };

interface VariableListProps {
  id: string;
  offered: readonly OfferedVariable[];
  active: OfferedVariable | undefined;
  onTake(variable: OfferedVariable): void;
}

/** The variables that can be inserted at the caret. The text area keeps the focus and handles the keys. */
export function VariableList({ id, offered, active, onTake }: VariableListProps) {
  const t = useTranslations();
  return (
    <div
      className="variable-list menu"
      id={`${id}-list`}
      role="listbox"
      aria-label={t("texts.variables")}
      tabIndex={0} // scrollable by keyboard
      onMouseDown={(event) => event.preventDefault()}
    >
      {offered.map((variable) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={variable.name}
          id={`${id}-${variable.name}`}
          role="option"
          aria-selected={variable === active}
          ref={variable === active ? scrollTo : undefined}
          onClick={() => onTake(variable)}
        >
          <code dir="ltr">{variable.placeholder}</code>
          <bdi className="quiet">{variable.sample}</bdi>
        </div>
      ))}
    </div>
  );
}

const scrollTo = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

interface IssuesProps {
  id: string;
  issues: readonly FieldIssue[];
  onCorrect: ((issue: FieldIssue) => void) | undefined;
}

/** Errors and warnings, each with a correction. */
export function Issues({ id, issues, onCorrect }: IssuesProps) {
  const t = useTranslations();
  const words = useTextLabels();
  return (
    <ul className="text-issues" id={id}>
      {issues.map((issue) => (
        <li key={`${issue.id}/${issue.position}`} className={issue.isError ? "field-problem" : "hint"}>
          <span className="hidden">{issue.isError ? t("texts.mistake") : t("texts.advice")}: </span>
          {words.issue(issue)}{" "}
          {issue.suggestion !== undefined && (
            <>
              {issue.isError && t("texts.didYouMean")}{" "}
              {onCorrect && isReplaceable(issue) ? (
                <button type="button" className="suggestion" onClick={() => onCorrect(issue)}>
                  <code dir="ltr">{issue.suggestion}</code>
                </button>
              ) : (
                <code dir="ltr">{issue.suggestion}</code>
              )}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether the suggestion replaces text, instead of adding something that is missing. */
const isReplaceable = ({ id }: FieldIssue): boolean =>
  /\.(unknown_variable|foreign_variable|unclosed_braces|template_syntax|often_empty|stray_braces)$/.test(id);
