"use client";
// Shows what was refused and why, at the top of a form and beside the fields.
import { createContext, useContext, useEffect, useRef } from "react";
import { besideField, type Refusal } from "./refusal";
import { useRefusalText } from "./refusal-text";

/** The refusal of the surrounding form. */
export const RefusedForm = createContext<Refusal | undefined>(undefined);

/** The error text of one field of the surrounding form. */
export function useFieldProblem(name: string): string | undefined {
  const refusal = useContext(RefusedForm);
  const text = useRefusalText();
  const problem = refusal?.problems.find(({ field }) => field !== undefined && isSameField(field, name));
  return problem && besideField(problem, text(problem));
}

/** Operations name fields as in their JSON; the field may be an entry of a list, for instance `roles[1]`. */
function isSameField(field: string, name: string): boolean {
  return field.replace(/(\[\d*\]|\.\d+)$/, "") === name.replace(/\[\]$/, "");
}

/** Takes the focus when it appears, so that screen readers read it. */
export function Problems({ refusal }: { refusal: Refusal | undefined }) {
  const text = useRefusalText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusal) place.current?.focus();
  }, [refusal]);
  if (!refusal) return null;
  return (
    <div className="problem" role="alert" tabIndex={-1} ref={place}>
      <ul>
        {[...new Set(refusal.problems.map(text))].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
