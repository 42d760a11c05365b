// Texts of the pages a browser meets before sign-in. English is the reference: its keys are the type of every other
// language, so a missing key is a compile error, and a wrong key in a page too. This uses next-intl's plain
// `createTranslator` and not its hooks, as these pages are rendered outside Next; one translator per language is kept,
// with its parsed messages.
import { createTranslator } from "next-intl";
import type en from "./en/login.json";
import { catalogue } from "./generated/login";
import { type Direction, directionOf, type LocaleTag } from "./locales";

export type LoginMessages = typeof en;
export const loginMessages = catalogue satisfies Record<LocaleTag, LoginMessages>;

export type LoginTranslator = ReturnType<typeof createTranslator<LoginMessages>>;
export type LoginMessageKey = Parameters<LoginTranslator>[0];

/** Words that replace built-in ones. */
export interface ChangedWords {
  /** Of the language and all words: the same version has the same words. */
  version: string;
  /** In the language of the message files, by their path there: `signIn.title`. */
  messages: Readonly<Record<string, string>>;
}

/** Beyond this many the oldest is dropped: there may be as many as organizations. */
const MAX_CHANGED = 200;
const changed = new Map<string, LoginTranslator>();

const translators = new Map<LocaleTag, LoginTranslator>();

/** The translator of one language, made once per process. A message that cannot be formatted throws: it is a bug. */
export function loginTranslator(locale: LocaleTag): LoginTranslator {
  let translator = translators.get(locale);
  if (!translator) {
    translator = translatorOf(locale, loginMessages[locale]);
    translators.set(locale, translator);
  }
  return translator;
}

/** A language, and the one whose built-in words it has: itself, or another for one that was added by an administrator. */
export interface Writing {
  /** BCP 47. */
  locale: string;
  base: LocaleTag;
}

/** The translator of one language with words of an administrator in place of built-in ones; kept by their version. */
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
 * The translator of one language that says of each word where it comes from: around it stands what `mark` answers for
 * its path. Not kept, as it is made for words that are being written.
 */
export function markedTranslator(
  writing: Writing,
  messages: ChangedWords["messages"],
  mark: (path: string) => readonly [string, string],
): LoginTranslator {
  return mixedTranslator(writing, marked(loginMessages[writing.base], messages, "", mark), messages);
}

/**
 * Each word by the rules of the language that it is written in: what was written in an added language has its numbers, and
 * what falls back has the numbers and the plural forms of the base, as its own forms would be asked for in vain. The
 * latter is isolated by characters, by which a page finds it (server/web/pages/falling-back.ts).
 */
function mixedTranslator(
  { locale, base }: Writing,
  messages: LoginMessages,
  written: ChangedWords["messages"],
): LoginTranslator {
  if (locale === base) return translatorOf(base, messages);
  const ofBase = translatorOf(base, isolated(messages, directionOf(base)));
  const own = translatorOf(locale, messages);
  const by = (key: string) => (key in written ? own : ofBase);
  const translator: LoginTranslator = Object.assign((...args: Parameters<LoginTranslator>) => by(args[0])(...args), {
    rich: (...args: Parameters<LoginTranslator["rich"]>) => by(args[0]).rich(...args),
    markup: (...args: Parameters<LoginTranslator["markup"]>) => by(args[0]).markup(...args),
    raw: (...args: Parameters<LoginTranslator["raw"]>) => by(args[0]).raw(...args),
    has: (...args: Parameters<LoginTranslator["has"]>) => by(args[0]).has(...args),
  });
  languages.set(translator, (key) => (key in written ? locale : base));
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

/** A text with its direction around it (UAX #9, isolates), or its full stop would stand at the wrong end of the line. */
export const inIsolates = (text: string, direction: Direction): string =>
  `${direction === "rtl" ? "\u2067" : "\u2066"}${text}\u2069`;

function isolated<Node extends object>(node: Node, direction: Direction): Node {
  const entries = Object.entries(node).map(([name, inner]) => [
    name,
    typeof inner === "string" ? inIsolates(inner, direction) : isolated(inner, direction),
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

/** Beside the translators, whose type is next-intl's. */
const languages = new WeakMap<LoginTranslator, (key: string) => string>();

/** The language that a word is written in, for the times that stand in its sentence. */
export const languageOfWord = (t: LoginTranslator, key: LoginMessageKey): string => languages.get(t)?.(key) ?? "en";

/** Groups without a changed word are shared, so that few words take little memory. */
function withChanges<Node extends object>(node: Node, messages: ChangedWords["messages"], above: string): Node {
  if (!Object.keys(messages).some((path) => path.startsWith(above))) return node;
  const entries = Object.entries(node).map(([name, inner]) => {
    const path = above + name;
    return [name, typeof inner === "string" ? (messages[path] ?? inner) : withChanges(inner, messages, `${path}.`)];
  });
  return Object.fromEntries(entries) as Node;
}
