/**
 * The page texts as administrators see them: groups of keys, made from the message files (messages/<tag>/
 * login.json), which stay the only list. `{app}` and `<bdi>{app}</bdi>` are written `{{.AppName}}`, as in messages.
 *
 * Not offered are words with several forms (plurals) or with markup around their text (a link), and those that protect
 * the reader: who asks for what on the page of consent and of a device, to which organization a new account will belong,
 * and under which address the service was reached.
 * An administrator of one organization must not be able to say there what is not so (attack: consent phishing).
 */
import { type LoginMessages, loginMessages } from "../../../messages/login";
import type { BuiltInLanguage } from "../../directory/policy/languages";

export interface Word {
  /** As in the API. */
  group: string;
  key: string;
  /** Where it stands in the message files. */
  path: string;
  /** The built-in text, with variables as `{{.AppName}}`. */
  text: string;
  /** What stands for a variable in the message files, by its name: `<bdi>{app}</bdi>`. */
  variables: ReadonlyMap<string, string>;
  /** Whether only those change it who have power over its readers (`checkPrivilegesOverReaders`). */
  takesPower: boolean;
}

/** By `group.key`. */
export type Words = ReadonlyMap<string, Word>;

/** What protects the reader; a path, or the beginning of paths. */
const PROTECTING =
  /^(?:continuePage\.|createAccount\.belongsTo$|device\.(?:question|request|shownCode|device|ipAddress|warning|allow|deny)$|error\.(?:wrongHost\.|host$|configured$|setting$|openConfigured$))/;
/**
 * What is shown where a code, a password or a passkey is entered, set up or shown, and at "This wasn't me": paths, or
 * the beginning of paths. Whoever writes it can ask for a code in the name of the service (attack: "read the code to our
 * support"). A test compares the list with the pages that have such fields (web/preview/preview-words.test.ts).
 */
const AT_CREDENTIALS = new RegExp(
  `^(?:${[
    ...["account", "authenticatorApp", "changePassword", "code", "common", "createAccount", "device", "newPassword"],
    ...["notMe", "passkey", "passkeyOffer", "recoveryCodes", "resetPassword", "secondFactor", "setUpFactor", "setup"],
    ...["signIn", "verifyEmail", "done\\.secured", "done\\.securedAsk"],
  ].join("|")})\\.`,
);
const ARGUMENT = /<bdi>(\{(\w+)\})<\/bdi>|\{(\w+)(?:, number)?\}/g;
/** What is left of a message once its arguments are gone, if it is plain. */
const PLAIN = /^[^{}<>]*$/;

const byLanguage = new Map<BuiltInLanguage, Words>();

/** The words that can be changed, with the built-in text of the language. */
export function wordsOf(language: BuiltInLanguage): Words {
  let words = byLanguage.get(language);
  if (!words) {
    words = new Map(leavesOf(loginMessages[language]).flatMap(([path, message]) => wordOf(path, message)));
    byLanguage.set(language, words);
  }
  return words;
}

function wordOf(path: string, message: string): [string, Word][] {
  if (PROTECTING.test(path) || !PLAIN.test(message.replace(ARGUMENT, ""))) return [];
  const variables = new Map<string, string>();
  const text = message.replace(ARGUMENT, (all: string, _: string, marked?: string, bare?: string) => {
    const name = variableName(marked ?? bare ?? "");
    variables.set(name, all);
    return `{{.${name}}}`;
  });
  const [group = "", ...rest] = path.split(".");
  const key = rest.map((part, index) => (index === 0 ? part : part[0]?.toUpperCase() + part.slice(1))).join("");
  return [[`${group}.${key}`, { group, key, path, text, variables, takesPower: AT_CREDENTIALS.test(path) }]];
}

/** Whether a change from one text of a level to another, each by `group.key`, changes a word that takes power. */
export function changeTakesPower(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const isChanged = (name: string) => before[name] !== after[name];
  return Object.keys({ ...before, ...after }).some((name) => isChanged(name) && wordsOf("en").get(name)?.takesPower);
}

/** The words of a level that take no power. */
export const wordsWithoutPower = (words: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(words).filter(([name]) => !wordsOf("en").get(name)?.takesPower));

/** A word that nobody changes. */
export interface FixedWord {
  path: string;
  text: string;
  /** `protects`: the reader, as above; `form`: it has plural forms, or a link in it. */
  reason: "protects" | "form";
}

const fixedByLanguage = new Map<BuiltInLanguage, ReadonlyMap<string, FixedWord>>();

/** The words that cannot be changed, by path: for editors, who would look for them. */
export function fixedWordsOf(language: BuiltInLanguage): ReadonlyMap<string, FixedWord> {
  let fixed = fixedByLanguage.get(language);
  if (!fixed) {
    const leaves = leavesOf(loginMessages[language]).filter(([path, message]) => wordOf(path, message).length === 0);
    fixed = new Map(
      leaves.map(([path, message]) => {
        const text = message.replace(ARGUMENT, (_: string, __: string, marked?: string, bare?: string) => {
          return `{{.${variableName(marked ?? bare ?? "")}}}`;
        });
        return [path, { path, text, reason: PROTECTING.test(path) ? "protects" : "form" } as const];
      }),
    );
    fixedByLanguage.set(language, fixed);
  }
  return fixed;
}

const variableName = (argument: string) =>
  argument === "app" ? "AppName" : argument.charAt(0).toUpperCase() + argument.slice(1);

function leavesOf(node: LoginMessages | object, above = ""): [string, string][] {
  return Object.entries(node).flatMap(([name, inner]): [string, string][] =>
    typeof inner === "string" ? [[above + name, inner]] : leavesOf(inner, `${above}${name}.`),
  );
}

/** The keys of each group, the same in every language; from English alone, as a process reads few languages. */
export const LOGIN_TEXT_GROUPS: Readonly<Record<string, readonly string[]>> = groupsOf();

function groupsOf() {
  const groups: Record<string, string[]> = {};
  for (const { group, key } of wordsOf("en").values()) groups[group] = [...(groups[group] ?? []), key];
  return groups;
}

/** Groups of keys with strings. */
export type GroupedWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** By `group.key`; what is empty is left out, as it falls back. */
export function flatWords(groups: Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>>) {
  const entries = Object.entries(groups).flatMap(([group, keys = {}]) =>
    Object.entries(keys).flatMap(([key, text]) => (text ? [[`${group}.${key}`, text] as const] : [])),
  );
  return Object.fromEntries(entries);
}

/** One over the other, word by word. */
export function mergedWords(beneath: GroupedWords, over: GroupedWords): GroupedWords {
  return groupedWords({ ...flatWords(beneath), ...flatWords(over) });
}

/** Only what is known is shown: a word may have gone with a release. */
export function groupedWords(words: Readonly<Record<string, string>>): GroupedWords {
  const groups = Object.entries(LOGIN_TEXT_GROUPS).map(([group, keys]) => {
    const own = keys.flatMap((key) => {
      const text = words[`${group}.${key}`];
      return text ? [[key, text] as const] : [];
    });
    return [group, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(groups.filter(([, keys]) => Object.keys(keys).length > 0));
}
