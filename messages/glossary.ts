// The terms and the spelling of a language: `messages/<tag>/glossary.json`, for translators. The tests check every text
// against it; the service does not read it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The terms that every glossary contains. */
export const TERMS = [
  ...["account", "password", "passkey", "signIn", "signOut", "code", "email", "organization", "app"],
  ...["administrator", "secondFactor", "recoveryCode", "session", "device", "project", "role", "textMessage", "text"],
  ...["machine", "scope", "redirectUri", "clientSecret", "endpoint", "auditLog", "provider"],
] as const;

const glossary = z.strictObject({
  /** How readers are addressed. */
  address: z.string().min(1),
  /** Every quotation mark that texts may contain. */
  quotes: z.string(),
  /** The word as in a dictionary, then the beginnings of its inflected forms. */
  terms: z.strictObject(Object.fromEntries(TERMS.map((term) => [term, z.array(z.string().min(1)).min(1)]))),
  /**
   * Regular expressions of text that must not occur: the other form of address, a word of a related language, a
   * rejected synonym.
   */
  never: z.array(z.string().min(1)),
  /** Expressions that must not occur in the console, whose readers are administrators. */
  neverInConsole: z.array(z.string().min(1)).optional(),
  /** `has`: letters that occur in mails; `lacks`: letters of related languages, which must not occur. */
  letters: z.strictObject({ has: z.string(), lacks: z.string() }).optional(),
  /** Words of mails in another script: abbreviations and names that readers know that way. */
  loanWords: z.string().optional(),
  /** Text that is correctly identical to English: words of mails, and whole texts of the pages by their keys. */
  sameAsEnglish: z.strictObject({ words: z.string(), keys: z.array(z.string()) }),
});

export type Glossary = z.output<typeof glossary>;

export function readGlossary(tag: string): Glossary {
  const path = fileURLToPath(new URL(`${tag}/glossary.json`, import.meta.url));
  return glossary.parse(JSON.parse(readFileSync(path, "utf8")));
}

/** The letters of each script (ISO 15924). */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  Jpan: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u,
  Kore: /[\p{Script=Hangul}\p{Script=Han}]/u,
  Hans: /\p{Script=Han}/u,
};

export function scriptOf(tag: string): RegExp {
  const { script = "Latn" } = new Intl.Locale(tag).maximize();
  return SCRIPTS[script] ?? new RegExp(`\\p{Script=${script}}`, "u");
}
