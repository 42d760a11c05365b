// The texts of the pages before sign-in. English is the reference: its keys are the type of every language, so a wrong
// key in a page does not compile. A key that another language lacks has the English text (scripts/languages.mjs). This
// module uses next-intl's plain `createTranslator` and not its hooks, because these pages are rendered outside of
// Next.js. One translator per language is kept, with its parsed messages.
import { createTranslator } from "next-intl";
import type en from "./en/login.json";
import { gapsOf } from "./gaps";
import { catalogue } from "./generated/login";
import { directionOf, type LocaleTag } from "./locales";

export type LoginMessages = typeof en;
export const loginMessages = catalogue satisfies Record<LocaleTag, LoginMessages>;

export type LoginTranslator = ReturnType<typeof createTranslator<LoginMessages>>;
export type LoginMessageKey = Parameters<LoginTranslator>[0];

/** Words that replace built-in ones. */
export interface ChangedWords {
  /** The version of the language and all words: equal versions have equal words. */
  version: string;
  /** The words by their path in the message files: `signIn.title`. */
  messages: Readonly<Record<string, string>>;
}

/** The maximum number of cached translators, after which the oldest is dropped: each organization may have its own. */
const MAX_CHANGED = 200;
const changed = new Map<string, LoginTranslator>();

const translators = new Map<LocaleTag, LoginTranslator>();

/**
 * Returns the translator of one language, created once per process. A message that cannot be formatted throws: it is a
 * bug.
 */
export function loginTranslator(locale: LocaleTag): LoginTranslator {
  let translator = translators.get(locale);
  if (!translator) {
    translator = mixedTranslator({ locale, base: locale }, loginMessages[locale], {});
    translators.set(locale, translator);
  }
  return translator;
}

/**
 * A language, and the language of its built-in words: itself, or another one for a language added by an administrator.
 */
export interface Writing {
  /** The BCP 47 tag. */
  locale: string;
  base: LocaleTag;
}

/**
 * Returns the translator of one language with an administrator's words in place of built-in ones; cached by version.
 */
export function changedTranslator(writing: Writing, { version, messages }: ChangedWords): LoginTranslator {
  let translator = changed.get(version);
  if (!translator) {
    translator = mixedTranslator(writing, withChanges(loginMessages[writing.base], messages, ""), messages);
    if (changed.size >= MAX_CHANGED) changed.delete(changed.keys().next().value ?? "");
    changed.set(version, translator);
  }
  return translator;
}

/**
 * Returns a translator that marks the origin of each word: the word is surrounded by the result of `mark` for its path.
 * Not cached, because it is used for words that are being edited.
 */
export function markedTranslator(
  writing: Writing,
  messages: ChangedWords["messages"],
  mark: (path: string) => readonly [string, string],
): LoginTranslator {
  return mixedTranslator(writing, marked(loginMessages[writing.base], messages, "", mark), messages);
}

/**
 * Formats each word by the rules of the language that it is written in: a word of an added language uses that
 * language's numbers; one that falls back uses the numbers and plural forms of the base, or of English if the base
 * lacks it. Words that fall back are isolated by characters, by which a page finds them
 * (server/web/pages/falling-back.tsx).
 * @param gaps the keys that the base lacks, whose messages are English
 */
export function mixedTranslator(
  { locale, base }: Writing,
  messages: LoginMessages,
  written: ChangedWords["messages"],
  gaps = gapsOf(base, "login"),
): LoginTranslator {
  if (locale === base && gaps.size === 0) return translatorOf(base, messages);
  const own = translatorOf(locale, messages);
  const ofBase = locale === base ? own : translatorOf(base, isolated(messages, isolatesOf(base)));
  const ofEnglish = gaps.size === 0 ? ofBase : translatorOf("en", isolated(messages, ENGLISH_ISOLATES));
  const isGap = (key: string) => !(key in written) && gaps.has(key);
  const by = (key: string) => (isGap(key) ? ofEnglish : key in written ? own : ofBase);
  const translator: LoginTranslator = Object.assign((...args: Parameters<LoginTranslator>) => by(args[0])(...args), {
    rich: (...args: Parameters<LoginTranslator["rich"]>) => by(args[0]).rich(...args),
    markup: (...args: Parameters<LoginTranslator["markup"]>) => by(args[0]).markup(...args),
    raw: (...args: Parameters<LoginTranslator["raw"]>) => by(args[0]).raw(...args),
    has: (...args: Parameters<LoginTranslator["has"]>) => by(args[0]).has(...args),
  });
  languages.set(translator, (key) => (isGap(key) ? "en" : key in written ? locale : base));
  return translator;
}

function marked<Node extends object>(
  node: Node,
  messages: ChangedWords["messages"],
  above: string,
  mark: (path: string) => readonly [string, string],
): Node {
  const entries = Object.entries(node).map(([name, inner]) => {
    const path = above + name;
    if (typeof inner !== "string") return [name, marked(inner, messages, `${path}.`, mark)];
    const [before, after] = mark(path);
    return [name, before + (messages[path] ?? inner) + after];
  });
  return Object.fromEntries(entries) as Node;
}

/** The characters before and after an isolated text (UAX #9). */
type Isolates = readonly [start: string, end: string];

/**
 * Isolates for words in the base language of a page; without them, a full stop would be at the wrong end of its line.
 */
const isolatesOf = (language: LocaleTag): Isolates => [directionOf(language) === "rtl" ? "\u2067" : "\u2066", "\u2069"];

/** Isolates for English words that the base language lacks: another character, so that a page can distinguish them. */
const ENGLISH_ISOLATES: Isolates = ["\u2068", "\u2069"];

/** Returns a text of a language, isolated from the text around it. */
export const inIsolates = (text: string, language: LocaleTag): string => isolatesOf(language).join(text);

function isolated<Node extends object>(node: Node, isolates: Isolates): Node {
  const entries = Object.entries(node).map(([name, inner]) => [
    name,
    typeof inner === "string" ? isolates.join(inner) : isolated(inner, isolates),
  ]);
  return Object.fromEntries(entries) as Node;
}

function translatorOf(locale: string, messages: LoginMessages): LoginTranslator {
  const translator: LoginTranslator = createTranslator({
    locale,
    messages,
    timeZone: "UTC",
    onError: (error) => {
      throw error;
    },
  });
  languages.set(translator, () => locale);
  return translator;
}

/** Stored separately from the translators, whose type is next-intl's. */
const languages = new WeakMap<LoginTranslator, (key: string) => string>();

/** Returns the language in which a word is written, for the times in its sentence. */
export const languageOfWord = (t: LoginTranslator, key: LoginMessageKey): string => languages.get(t)?.(key) ?? "en";

/** Applies changes. Groups without a changed word are shared, so that few words take little memory. */
function withChanges<Node extends object>(node: Node, messages: ChangedWords["messages"], above: string): Node {
  if (!Object.keys(messages).some((path) => path.startsWith(above))) return node;
  const entries = Object.entries(node).map(([name, inner]) => {
    const path = above + name;
    return [name, typeof inner === "string" ? (messages[path] ?? inner) : withChanges(inner, messages, `${path}.`)];
  });
  return Object.fromEntries(entries) as Node;
}
