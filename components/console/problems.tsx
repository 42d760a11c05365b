"use client";
// What was refused and why, at the top of a form and beside each field it is about.
import { createContext, useContext, useEffect, useRef } from "react";
import { besideField, type Refusal } from "./refusal";
import { useRefusalText } from "./refusal-text";

/** What was refused in the form around. */
export const RefusedForm = createContext<Refusal | undefined>(undefined);

/** The problem of one field of the form around, in words. */
export function useFieldProblem(name: string): string | undefined {
  const refusal = useContext(RefusedForm);
  const text = useRefusalText();
  const problem = refusal?.problems.find(({ field }) => field !== undefined && isSameField(field, name));
  return problem && besideField(problem, text(problem));
}

/** Operations name fields as in their JSON; lists may name an entry, as in `roles[1]`. */
function isSameField(field: string, name: string): boolean {
  return field.replace(/(\[\d*\]|\.\d+)$/, "") === name.replace(/\[\]$/, "");
}

/** Takes the focus when it appears, so that whoever cannot see it is told. */
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
