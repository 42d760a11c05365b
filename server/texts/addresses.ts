/**
 * Finds addresses in a message text: anything that a mail program or a reader might take for one. A text that asks
 * readers to open `https://id-acme.test/{{.Code}}` sends their code to the author of the text (attack: stealing a reset
 * code by a genuine mail). Messages that open accounts therefore must not name foreign hosts or join a variable to a
 * host.
 *
 * Choice: own patterns instead of a library such as linkify-it. Such libraries find what they would link themselves, by
 * a growing list of top-level domains. Here, a word that only looks like a host (`evil.example`) must be found, as must
 * an obfuscated one (zero-width characters, full-width and percent-encoded dots, `[.]`) or one that contains a
 * variable. A false alarm costs the author one space. Pure; every pattern runs in linear time.
 */
import { domainToASCII } from "node:url";
import type { ValueKind } from "../message-types/variable";
import { parseTemplate } from "./template";

/** The hosts that a text may name. */
export interface OwnHosts {
  /** The host of BASE_URL. */
  service: string;
  /** Domains that the organization has proven; their subdomains are its own, too. */
  proven: readonly string[];
}

export interface FoundAddress {
  /** `joined`: a variable is part of it. */
  kind: "foreign" | "joined";
  /** Characters (code points) from 0. */
  position: number;
}

// Placeholders for variables and for an ideographic full stop, from Unicode's private use area.
const VALUES: Readonly<Record<ValueKind, string>> = { text: "\ue000", host: "\ue002", mailbox: "\ue003" };
const FULL_STOP = "\ue001";

/** Returns at most `most` places where the text names a foreign host or joins a variable to an address, in order. */
export function findAddresses(
  source: string,
  own: OwnHosts,
  kindOf: (variable: string) => ValueKind,
  most = Number.POSITIVE_INFINITY,
): FoundAddress[] {
  const { text, positions } = plainForm(source, kindOf);
  const found: FoundAddress[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (found.length >= most) break;
    const first = judge(word, own);
    if (first) found.push({ kind: first.kind, position: positions[index + first.at] ?? 0 });
  }
  return found;
}

const WORD = /[^\s<>"|\u201c\u201d\u201e\u2018\u00ab\u00bb]+/gu;

/** Returns the first violation in a word. @returns `at`: index in the word */
function judge(word: string, own: OwnHosts): { kind: FoundAddress["kind"]; at: number } | undefined {
  const addresses = [...authorities(word), ...schemes(word), ...mailboxes(word), ...literals(word)];
  // The path of an own address may contain dots, as in /help.html; the rest of the word is checked again.
  addresses.push(...dottedNames(withoutPaths(word, addresses)));
  const value = /[\ue000\ue002\ue003]/.exec(word);
  const joined = joinedValue(word);
  const [query, backslash] = [word.lastIndexOf("?"), word.lastIndexOf("\\")];
  const isForeign = ({ host, at }: Address) => {
    if (/[\ue000\ue002\ue003]/.test(host)) return false;
    return backslash >= at || !isOwn(host, own, query >= at);
  };
  const foreign = addresses.filter(isForeign).sort((one, other) => one.at - other.at)[0];
  if (foreign) return { kind: "foreign", at: foreign.at };
  if (value && addresses.length > 0) return { kind: "joined", at: value.index };
  return joined === undefined ? undefined : { kind: "joined", at: joined };
}

// Letters and other characters of host names: emoji, and the middle dots of Catalan, Greek, Hebrew and Japanese.
const LABEL = "\\p{L}\\p{M}\\p{N}\\p{So}\\u00b7\\u0375\\u05f3\\u05f4\\u30fb\\ue000\\ue002\\ue003_";
const NAME = new RegExp(`[${LABEL}.-]+`, "gu");
const MAILBOX = new RegExp(`(?<=[${LABEL}+-])@([${LABEL}.-]+)`, "gu");

interface Address {
  /** Index in the word. */
  at: number;
  /** Empty for a scheme without a host, which the text after it may complete. */
  host: string;
  /** Start and end index of a plain path after the host. */
  path?: readonly [number, number];
}

/**
 * Finds `https://host`, `//host`, `\\host` and variants that some programs accept. User information before an @ is
 * ignored.
 */
function authorities(word: string): Address[] {
  return [...word.matchAll(/[/\\]{2,}([^/\\?#]*)/gu)].map(({ 0: all, 1: authority = "", index }) => {
    const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
    const from = index + all.length;
    PLAIN_PATH.lastIndex = from;
    const scheme = /[a-z][a-z0-9+.-]{0,30}:$/.exec(word.slice(Math.max(0, index - 32), index))?.[0] ?? "";
    return { at: index - scheme.length, host, path: [from, from + (PLAIN_PATH.exec(word)?.[0].length ?? 0)] };
  });
}

const PLAIN_PATH = /(?:\/[\w.~-]+)*/y;

/** Schemes that also work without slashes: `https:host`, `mailto:…`. */
function schemes(word: string): Address[] {
  const pattern = /(?<![a-z])(?:https?|ftps?|mailto|javascript):(?![/\\]{2})([^/\\?#]*)/gu;
  return [...word.matchAll(pattern)].map(({ 1: rest = "", index }) => {
    return { at: index, host: trimDots(rest.slice(rest.lastIndexOf("@") + 1)) };
  });
}

/** Finds `name@host`, also if the host has no dot. */
function mailboxes(word: string): Address[] {
  return [...word.matchAll(MAILBOX)].map(({ 1: host = "", index }) => ({ at: index, host: trimDots(host) }));
}

/** Finds IPv6 addresses: `[2001:db8::1]`, `2001:db8::1`. IPv4 addresses are found as dotted names. */
function literals(word: string): Address[] {
  return [...word.matchAll(/(?<![\p{L}\p{N}:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}/gu)]
    .filter(({ 0: host }) => /[0-9a-f]/.test(host) && (host.includes("::") || host.split(":").length > 5))
    .map(({ 0: host, index }) => ({ at: index, host }));
}

/** Abbreviations that look like a host. */
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  "p.ex",
  "t.ex",
  "m.fl",
  "d.vs",
  "f.eks",
  "v.chr",
  "n.chr",
  "v.d.m",
]);

/**
 * Finds words with a dot whose last part could be a top-level domain: `evil.example`, `□.evil`, but not `z.B.` or
 * `2.0`.
 */
function dottedNames(word: string): Address[] {
  return [...word.matchAll(NAME)].flatMap(({ 0: run, index }) => {
    const labels = run.split(".");
    const isName = labels.some((label, place) => place > 0 && labels[place - 1] !== "" && TOP_LEVEL.test(label));
    const host = trimDots(run);
    if (!isName && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return [];
    const isAbbreviation = ABBREVIATIONS.has(host) && !/^[/:@\\]/.test(word.slice(index + run.length));
    return isAbbreviation ? [] : [{ at: index + run.indexOf(host), host }];
  });
}

const TOP_LEVEL = /^(?:\p{L}[\p{L}\p{M}\ue000\ue002\ue003]|[\ue000\ue002\ue003])/u;

/** Removes dots and hyphens from both ends. Linear, unlike a pattern that is anchored only at the end. */
function trimDots(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && ".-".includes(name.charAt(from))) from++;
  while (to > from && ".-".includes(name.charAt(to - 1))) to--;
  return name.slice(from, to);
}

/**
 * Returns the index of a variable that contains an address (`{{.Origin}}`) and is joined to other text. Inflectional
 * endings (`{{.Domain}}-ra`, `{{.Domain}}의`) and punctuation may follow it.
 */
function joinedValue(word: string): number | undefined {
  for (const { 0: all, 1: value, 2: marks = "", index } of word.matchAll(/([\ue002\ue003])([./:@?&=#%_~+\\-]*)/gu)) {
    const next = word.slice(index + all.length, index + all.length + 2);
    if (!/^-*$/.test(marks) && /^[\p{L}\p{N}\ue000\ue002\ue003]/u.test(next)) return index;
    if (value !== VALUES.host) continue;
    if (marks === "" && /^[\p{Script=Latin}\p{N}\ue000\ue002\ue003]/u.test(next)) return index;
    const before = word.slice(Math.max(0, index - 2), index);
    if (/[\p{Script=Latin}\p{N}\ue000\ue003._~%+=/\\-]$/u.test(before)) return index;
  }
  return undefined;
}

/** Addresses of the service with parameters are not own: an application behind them may redirect to another site. */
function isOwn(host: string, { service, proven }: OwnHosts, hasParameters: boolean): boolean {
  const name = domainToASCII(host);
  if (name === service) return !hasParameters;
  return name !== "" && proven.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

/** Replaces plain paths in the word with spaces. */
function withoutPaths(word: string, addresses: readonly Address[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const { path } of addresses) {
    if (!path || path[0] < end) continue;
    parts.push(word.slice(end, path[0]), " ".repeat(path[1] - path[0]));
    end = path[1];
  }
  return parts.join("") + word.slice(end);
}

/** A text as programs interpret it, with the source position of each of its characters (UTF-16 units). */
interface PlainForm {
  text: string;
  positions: number[];
}

/** Invisible characters, which rendering removes (template.ts): zero-width, bidirectional and control characters. */
const UNSEEN = /^(?![\n\r\t])[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{DI}]$/u;
/** End a sentence or clause in Chinese and Japanese, where no space follows. */
const SEPARATORS = new Set("、，；！？（）「」『』【】《》〈〉〔〕…");
const FULL_STOPS = new Set("。｡．︒");
const SLASHES = new Set("\u2044\u2215\u29f8");
/** Look like a hyphen within a word, unlike longer dashes. */
const HYPHENS = new Set("\u2010\u2011\u2012");

function plainForm(source: string, kindOf: (variable: string) => ValueKind): PlainForm {
  const form: PlainForm = { text: "", positions: [] };
  const parts: string[] = [];
  const add = (text: string, position: number) => {
    parts.push(text);
    for (let unit = 0; unit < text.length; unit++) form.positions.push(position);
  };
  for (const segment of parseTemplate(source)) {
    if (segment.kind === "variable") {
      add(VALUES[kindOf(segment.name)], segment.position);
    } else if (segment.kind === "literal" || segment.fault === "unclosed") {
      let position = segment.position;
      for (const character of segment.text) add(plainCharacter(character), position++);
    }
  }
  form.text = parts.join("");
  const decoded = rewrite(form, /%(?:25)*([2-7][0-9a-f])/gu, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)).toLowerCase(),
  );
  const written = rewrite(decoded, / {0,3}[[({] {0,3}(?:\.|dot) {0,3}[\])}] {0,3}/gu, () => ".");
  return rewrite(written, /\ue001/gu, (_, __, at) => (isInName(written.text, at) ? "." : " "));
}

function plainCharacter(character: string): string {
  if (character >= " " && character <= "~") return character.toLowerCase();
  if (UNSEEN.test(character)) return "";
  if (SEPARATORS.has(character)) return " ";
  if (FULL_STOPS.has(character)) return FULL_STOP;
  if (SLASHES.has(character)) return "/";
  if (HYPHENS.has(character)) return "-";
  return character.normalize("NFKC").toLowerCase();
}

/**
 * An ideographic full stop is a dot between Latin letters or next to a variable (UTS #46 §2.3); elsewhere it ends a
 * sentence.
 */
function isInName(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at + 1)];
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character) && !EAST_ASIAN.test(character);
  return isLetter(before)
    ? isLetter(after) || /[\ue000\ue002\ue003]/.test(after)
    : /[\ue000\ue002\ue003]/.test(before) && isLetter(after);
}

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u;

function rewrite(
  { text, positions }: PlainForm,
  pattern: RegExp,
  replacement: (match: string, group: string, at: number) => string,
): PlainForm {
  const written: string[] = [];
  const kept: number[] = [];
  let end = 0;
  const keep = (to: number) => {
    written.push(text.slice(end, to));
    for (let unit = end; unit < to; unit++) kept.push(positions[unit] ?? 0);
  };
  for (const { 0: match, 1: group = "", index } of text.matchAll(pattern)) {
    keep(index);
    const put = replacement(match, group, index);
    written.push(put);
    for (let unit = 0; unit < put.length; unit++) kept.push(positions[index] ?? 0);
    end = index + match.length;
  }
  keep(text.length);
  return { text: written.join(""), positions: kept };
}
