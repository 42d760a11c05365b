/**
 * The variables of message texts, by type: one catalogue for checks, editor, documentation and sending, so that they
 * always agree. Rule MESSAGE-1. Names that people chose themselves are marked, as they may contain links (see
 * `lookUpIn`).
 */
import { momentText } from "../../messages/moment";
import { COMMON } from "../message-types/common-variables";
import { definitionOf, MESSAGE_TYPES, type MessageType } from "../message-types/table";
import type { Variable, VariableValues } from "../message-types/variable";

const catalogue = new Map<MessageType, readonly Variable[]>(
  MESSAGE_TYPES.map((type) => [
    type,
    [...definitionOf(type).variables, ...COMMON].map((entry) =>
      definitionOf(type).given.includes(entry.name) ? { ...entry, mayBeEmpty: false } : entry,
    ),
  ]),
);
const spellings = new Map<MessageType, ReadonlyMap<string, Variable>>(
  MESSAGE_TYPES.map((type) => [
    type,
    new Map(variablesOf(type).flatMap((entry) => [entry.name, ...entry.aliases].map((name) => [name, entry] as const))),
  ]),
);

/** Returns all variables of a type: its own first, then the common ones. */
export function variablesOf(type: MessageType): readonly Variable[] {
  return catalogue.get(type) ?? [];
}

/** Returns the variable of this type with that name or alias; case-sensitive. */
export function findVariable(type: MessageType, spelling: string): Variable | undefined {
  return spellings.get(type)?.get(spelling);
}

/** Returns the types that have a variable with that name or alias. */
export function typesWith(spelling: string): MessageType[] {
  return MESSAGE_TYPES.filter((type) => findVariable(type, spelling) !== undefined);
}

/** Returns whether messages of this type have a code, `{{.Code}}`. */
export function carriesCode(type: MessageType): boolean {
  return definitionOf(type).opensBy === "code";
}

/** Returns whether a message of this type opens the account of its reader, by a code or by its link. */
export function opensAccount(type: MessageType): boolean {
  return definitionOf(type).opensBy !== undefined;
}

/**
 * Returns whether a message of this type is protected: it opens its reader's account, or reports a change to it. It
 * must not name foreign hosts.
 */
export function isProtected(type: MessageType): boolean {
  return opensAccount(type) || definitionOf(type).purpose === "security";
}

/** Returns whether changing its text requires power over its readers (`checkPrivilegesOverReaders`), rule TEXT-14. */
export function takesPower(type: MessageType): boolean {
  return isProtected(type) && !definitionOf(type).needsNoPower;
}

/**
 * Returns sample values, for previews and tests.
 * @param languages of the moments, in order of preference
 */
export function sampleValues(type: MessageType, languages: readonly string[] = []): Record<string, string> {
  const shown = ({ sample, sampleAt }: Variable) => (sampleAt === undefined ? sample : momentText(sampleAt, languages));
  return Object.fromEntries(variablesOf(type).map((entry) => [entry.name, shown(entry)]));
}

/**
 * Returns the look-up function for `renderTemplate`: it resolves aliases, knows only the variables of this type (and no
 * properties that JavaScript objects inherit), and removes links from names.
 */
export function lookUpIn(type: MessageType, values: VariableValues): (spelling: string) => string | undefined {
  return (spelling) => {
    const variable = findVariable(type, spelling);
    const value = variable && values[variable.name];
    return value !== undefined && variable?.isName ? withoutLinks(value) : value;
  };
}

/**
 * Changes a name so that mail programs do not make a link of it: users must not be able to send links from our address
 * by calling themselves `https://evil.test`. Words with a scheme are removed; host names remain readable but get a
 * zero-width space (U+200B). A login name that replaces a missing name is unchanged, as people copy it.
 */
export function withoutLinks(name: string): string {
  if (/^[^\s@/:]+@[^\s@/:]+$/u.test(name)) return name;
  return name
    .replace(/(?<!\S)\S*:\/\/\S*\s*/gu, "")
    .replace(/(?<=[\p{L}\p{N}][.\u3002\uff0e\uff61])(?=\p{L}{2})/gu, "\u200b")
    .trim();
}
