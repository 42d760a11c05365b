"use client";
// The languages of the instance by their own names: the built-in ones and those that administrators have added.
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { type Direction, directionOf, type LocaleEntry, type LocaleTag, locales } from "../../../messages/locales";

const Added = createContext<readonly LocaleEntry[]>([]);

export function LanguagesProvider({ added, children }: { added: readonly LocaleEntry[]; children: ReactNode }) {
  return <Added value={added}>{children}</Added>;
}

/** Returns all of them by name. Only where they are listed: a browser takes 10 ms to load the rules of sorting. */
export function useKnownLanguages(): readonly LocaleEntry[] {
  const added = useContext(Added);
  return useMemo(() => {
    const { compare } = new Intl.Collator("en");
    return [...locales, ...added].sort((one, other) => compare(one.endonym, other.endonym));
  }, [added]);
}

export interface LanguageNames {
  /** Returns the name of a language in that language. */
  endonymOf(tag: string): string;
  writingOf(tag: string): Direction;
  /** Whether the language has no built-in texts. */
  isAdded(tag: string): boolean;
}

export function useLanguageNames(): LanguageNames {
  const added = useContext(Added);
  const find = (tag: string) => [...locales, ...added].find((entry) => entry.tag === tag);
  return {
    endonymOf: (tag) => find(tag)?.endonym ?? tag,
    isAdded: (tag) => !locales.some((locale) => locale.tag === tag),
    writingOf: (tag) => find(tag)?.dir ?? directionOf(tag as LocaleTag),
  };
}

export function LanguageName({ tag }: { tag: string }) {
  return <bdi lang={tag}>{useLanguageNames().endonymOf(tag)}</bdi>;
}
