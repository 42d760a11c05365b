"use client";
// Shows the errors of a refused request at the top of the form and next to the fields.
import { createContext, useContext, useEffect, useRef } from "react";
import { besideField, type Refusal, type ShownProblem } from "../../../shared/refusal";
import { useRefusalText } from "./refusal-text";

/** The refusal of the surrounding form. */
export const RefusedForm = createContext<Refusal | undefined>(undefined);

/** Returns the error text of one field of the surrounding form. */
export function useFieldProblem(name: string): string | undefined {
  const refusal = useContext(RefusedForm);
  const text = useRefusalText();
  const problem = refusal?.problems.find(({ field }) => field !== undefined && isSameField(field, name));
  return problem && besideField(problem, text(problem));
}

/**
 * Whether both names mean the same field. Operations use the names of their JSON; the field may be a list entry such as
 * `roles[1]`.
 */
function isSameField(field: string, name: string): boolean {
  return field.replace(/(\[\d*\]|\.\d+)$/, "") === name.replace(/\[\]$/, "");
}

export interface ProblemsProps {
  refusal: Refusal | undefined;
  /** Returns the label of a field of the form; without it, fields have the names that the API uses. */
  labelOf?: (name: string) => string | undefined;
}

/** The list of errors. It takes the focus when it appears, so that screen readers read it. */
export function Problems({ refusal, labelOf }: ProblemsProps) {
  const text = useRefusalText();
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusal) container.current?.focus();
  }, [refusal]);
  if (!refusal) return null;
  return (
    <div className="problem" role="alert" tabIndex={-1} ref={container}>
      <ul>
        {summaryOf(refusal, text, labelOf).map(([line, field]) => (
          <li key={line}>
            {field === undefined ? (
              line
            ) : (
              <button type="button" className="to-field" onClick={(event) => goToField(event.currentTarget, field)}>
                {line}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the distinct sentences, each with the field that it is about. */
function summaryOf(
  refusal: Refusal,
  text: (problem: ShownProblem) => string,
  labelOf: ProblemsProps["labelOf"],
): [string, string | undefined][] {
  const lines = refusal.problems.map((problem): [string, string | undefined] => {
    const { field } = problem;
    const label = problem.label ?? (field && labelOf?.(field));
    return [label ? `${label}: ${besideField(problem, text(problem))}` : text(problem), field];
  });
  return [...new Map(lines.toReversed())].toReversed();
}

function goToField(from: HTMLElement, field: string): void {
  const controls = [...(from.closest("form")?.elements ?? [])] as HTMLInputElement[];
  const isMeant = (named: string) => named !== "" && isSameField(field, named);
  controls.find(({ name, dataset }) => isMeant(dataset.field ?? name))?.focus();
}
