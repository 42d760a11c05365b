// Texts of the pages a browser meets before sign-in. English is the reference: its keys are the type of every other
// language, so a missing key is a compile error, and a wrong key in a page too. This uses next-intl's plain
// `createTranslator` and not its hooks, as these pages are rendered outside Next; one translator per language is kept,
// with its parsed messages.
import { createTranslator } from "next-intl";
import type en from "./en/login.json";
import { catalogue } from "./generated/login";
import type { LocaleTag } from "./locales";

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

/** The translator of one language with words of an administrator in place of built-in ones; kept by their version. */
export function changedTranslator(locale: LocaleTag, { version, messages }: ChangedWords): LoginTranslator {
  let translator = changed.get(version);
  if (!translator) {
    translator = translatorOf(locale, withChanges(loginMessages[locale], messages, ""));
    if (changed.size >= MAX_CHANGED) changed.delete(changed.keys().next().value ?? "");
    changed.set(version, translator);
  }
  return translator;
}

function translatorOf(locale: LocaleTag, messages: LoginMessages): LoginTranslator {
  return createTranslator({
    locale,
    messages,
    timeZone: "UTC",
    onError: (error) => {
      throw error;
    },
  });
}

/** Groups without a changed word are shared, so that few words take little memory. */
function withChanges<Node extends object>(node: Node, messages: ChangedWords["messages"], above: string): Node {
  if (!Object.keys(messages).some((path) => path.startsWith(above))) return node;
  const entries = Object.entries(node).map(([name, inner]) => {
    const path = above + name;
    return [name, typeof inner === "string" ? (messages[path] ?? inner) : withChanges(inner, messages, `${path}.`)];
  });
  return Object.fromEntries(entries) as Node;
}
