"use client";
// The languages of the instance by their own names: the built-in ones and those that administrators have added. The
// server sorts them, because a browser takes 15 ms to load the rules of sorting.
import { createContext, type ReactNode, useContext } from "react";
import { type Direction, directionOf, type LocaleEntry, type LocaleTag, locales } from "../../../messages/locales";

const Known = createContext<readonly LocaleEntry[]>(locales);

export function LanguagesProvider({ known, children }: { known: readonly LocaleEntry[]; children: ReactNode }) {
  return <Known value={known}>{children}</Known>;
}

export const useKnownLanguages = (): readonly LocaleEntry[] => useContext(Known);

export interface LanguageNames {
  /** Returns the name of a language in that language. */
  endonymOf(tag: string): string;
  writingOf(tag: string): Direction;
  /** Whether the language has no built-in texts. */
  isAdded(tag: string): boolean;
}

export function useLanguageNames(): LanguageNames {
  const known = useKnownLanguages();
  const find = (tag: string) => known.find((entry) => entry.tag === tag);
  return {
    endonymOf: (tag) => find(tag)?.endonym ?? tag,
    isAdded: (tag) => !locales.some((locale) => locale.tag === tag),
    writingOf: (tag) => find(tag)?.dir ?? directionOf(tag as LocaleTag),
  };
}

export function LanguageName({ tag }: { tag: string }) {
  return <bdi lang={tag}>{useLanguageNames().endonymOf(tag)}</bdi>;
}
