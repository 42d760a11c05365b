"use client";
// Texts with numbers, dates or units, which the server has formatted: a page that starts keeps them, because the first
// formatter of a kind takes a browser up to 30 ms. Browsers also format differently, and a moment has passed: React
// would replace what differs, and buttons that the user is about to press with it.
import { useState, useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * Returns a function that formats a text for an attribute or as the only child of an element, which must have
 * `suppressHydrationWarning`. While the page shows what the server has rendered, the text is empty, and React ignores
 * it.
 * @param of what the texts are made of; when it changes, they are formatted
 */
export function useServerTexts(of: string): (format: () => string) => string {
  const [first] = useState({ of, isShown: false });
  useSyncExternalStore(
    never,
    () => undefined,
    () => {
      first.isShown = typeof document !== "undefined";
      return undefined;
    },
  );
  if (first.of !== of) first.isShown = false;
  return (format) => (first.isShown ? "" : format());
}
