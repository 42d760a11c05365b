// A long value that wraps between its parts.
import { Fragment } from "react";

/** Lets a long address wrap after its separators, so that no word is broken. */
export function breakable(value: string) {
  const parts = value.split(/(?<=[/:_-])(?=[^/])(?<!:(?=\d))/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a constant
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
