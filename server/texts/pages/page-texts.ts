/**
 * The page texts as administrators see them: groups of keys, derived from the message files
 * (messages/<tag>/login.json), which are the only list. `{app}` and `<bdi>{app}</bdi>` are written `{{.AppName}}`, as
 * in messages.
 *
 * Excluded are texts with several forms (plurals) or with markup (a link), and texts that protect the
 * reader: what is requested on the consent and device pages, which organization a new account will belong to, and which
 * address the service was reached at. An administrator of one organization must not be able to make false statements
 * there (attack: consent phishing).
 */
import { type LoginMessages, loginMessages } from "../../../messages/login";
import type { BuiltInLanguage } from "../../directory/policy/languages";

export interface PageText {
  /** The name of the group in the API. */
  group: string;
  key: string;
  /** The path in the message files. */
  path: string;
  /** The built-in text, with variables as `{{.AppName}}`. */
  text: string;
  /** The form of each variable in the message files, by name: `<bdi>{app}</bdi>`. */
  variables: ReadonlyMap<string, string>;
  /** Whether only users with power over its readers may change it (`checkPrivilegesOverReaders`). */
  takesPower: boolean;
}

/** By `group.key`. */
export type PageTexts = ReadonlyMap<string, PageText>;

/** Texts that protect the reader; a path or a prefix of paths. */
const PROTECTING =
  /^(?:continuePage\.|createAccount\.belongsTo$|device\.(?:question|request|shownCode|device|ipAddress|warning|allow|deny)$|error\.(?:wrongHost\.|host$|configured$|setting$|openConfigured$))/;
/**
 * Texts shown where a code, a password or a passkey is entered, set up or shown, and at "This wasn't me": paths or
 * prefixes of paths. Their author could ask for a code in the name of the service (attack: "read the code to our
 * support"). A test compares the list with the pages that have such fields (web/preview/preview-page.test.ts).
 */
const AT_CREDENTIALS = new RegExp(
  `^(?:${[
    ...["account", "authenticatorApp", "changePassword", "code", "common", "createAccount", "device", "newPassword"],
    ...["notMe", "passkey", "passkeyOffer", "recoveryCodes", "resetPassword", "secondFactor", "setUpFactor", "setup"],
    ...["provider", "signIn", "verifyEmail", "done\\.secured", "done\\.securedAsk"],
  ].join("|")})\\.`,
);
const ARGUMENT = /<bdi>(\{(\w+)\})<\/bdi>|\{(\w+)(?:, number)?\}/g;
/** Matches a plain message after its arguments are removed. */
const PLAIN = /^[^{}<>]*$/;

const byLanguage = new Map<BuiltInLanguage, PageTexts>();

/** Returns the texts that can be changed, with the built-in text of the language. */
export function pageTextsOf(language: BuiltInLanguage): PageTexts {
  let words = byLanguage.get(language);
  if (!words) {
    words = new Map(leavesOf(loginMessages[language]).flatMap(([path, message]) => pageTextAt(path, message)));
    byLanguage.set(language, words);
  }
  return words;
}

function pageTextAt(path: string, message: string): [string, PageText][] {
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

/** Returns whether a change of a level's texts, by `group.key`, changes a text that takes power. */
export function changeTakesPower(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const isChanged = (name: string) => before[name] !== after[name];
  return Object.keys({ ...before, ...after }).some(
    (name) => isChanged(name) && pageTextsOf("en").get(name)?.takesPower,
  );
}

/** Returns the texts of a level that take no power. */
export const pageTextsWithoutPower = (words: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(words).filter(([name]) => !pageTextsOf("en").get(name)?.takesPower));

/** A text that cannot be changed. */
export interface FixedPageText {
  path: string;
  text: string;
  /** `protects`: it protects the reader; `form`: it has plural forms or contains a link. */
  reason: "protects" | "form";
}

const fixedByLanguage = new Map<BuiltInLanguage, ReadonlyMap<string, FixedPageText>>();

/** Returns the texts that cannot be changed, by path, so that editors can find them. */
export function fixedPageTextsOf(language: BuiltInLanguage): ReadonlyMap<string, FixedPageText> {
  let fixed = fixedByLanguage.get(language);
  if (!fixed) {
    const leaves = leavesOf(loginMessages[language]).filter(
      ([path, message]) => pageTextAt(path, message).length === 0,
    );
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

/** The keys of each group, the same in every language; read from English, as a process loads few languages. */
export const LOGIN_TEXT_GROUPS: Readonly<Record<string, readonly string[]>> = groupsOf();

function groupsOf() {
  const groups: Record<string, string[]> = {};
  for (const { group, key } of pageTextsOf("en").values()) groups[group] = [...(groups[group] ?? []), key];
  return groups;
}

/** Groups of keys with strings. */
export type GroupedPageTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns texts by `group.key`; empty ones are omitted, as they fall back. */
export function flatPageTexts(
  groups: Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>>,
) {
  const entries = Object.entries(groups).flatMap(([group, keys = {}]) =>
    Object.entries(keys).flatMap(([key, text]) => (text ? [[`${group}.${key}`, text] as const] : [])),
  );
  return Object.fromEntries(entries);
}

/** Returns the known texts in groups; others were removed by a release. */
export function groupedPageTexts(words: Readonly<Record<string, string>>): GroupedPageTexts {
  const groups = Object.entries(LOGIN_TEXT_GROUPS).map(([group, keys]) => {
    const own = keys.flatMap((key) => {
      const text = words[`${group}.${key}`];
      return text ? [[key, text] as const] : [];
    });
    return [group, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(groups.filter(([, keys]) => Object.keys(keys).length > 0));
}
