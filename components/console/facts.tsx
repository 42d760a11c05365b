// What is known of one thing, as pairs; what is not known is left out.
import type { ReactNode } from "react";

export function Facts({ facts }: { facts: readonly (readonly [term: string, value: ReactNode])[] }) {
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
