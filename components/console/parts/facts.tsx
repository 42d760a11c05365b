// A list of names and values. Entries without a value are omitted.
import type { ReactNode } from "react";

export interface FactsProps {
  facts: readonly (readonly [term: string, value: ReactNode])[];
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl className="card facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== false && value !== "" && value !== null)
        .map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
