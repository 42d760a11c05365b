// The keys that a language lacks. Their texts are English (scripts/languages.mjs), and pages and mails mark them as
// English.
import { gaps } from "./generated/gaps";
import type { LocaleTag } from "./locales";

const NONE: ReadonlySet<string> = new Set();
const sets = new Map<string, ReadonlySet<string>>();

/** Returns the keys (`signIn.title`) that the language lacks in this catalogue. */
export function gapsOf(language: LocaleTag, catalogue: "login" | "mail"): ReadonlySet<string> {
  const keys = gaps[language]?.[catalogue];
  if (!keys?.length) return NONE;
  const name = `${language}/${catalogue}`;
  let set = sets.get(name);
  if (!set) {
    set = new Set(keys);
    sets.set(name, set);
  }
  return set;
}
