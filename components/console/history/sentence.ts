// An event as a sentence: which text says it, and what stands in its gaps.
import { changesRedirects } from "./changes";
import type { AuditEvent } from "./event";

/** The gaps of the sentences: who did it, to what, and what else the event speaks of. */
export const GAPS = ["actor", "object", "person", "project", "app", "domain", "role"] as const;
export type Gap = (typeof GAPS)[number];

/** The keys of the texts that say it, the first that there is. */
export function sentenceKeys({ type, actor, aggregate, changes }: AuditEvent): string[] {
  const isOwn = aggregate.type === "user" && aggregate.id === actor.id;
  return [
    ...(changesRedirects(type, changes) ? ["history.by.variant.redirects"] : []),
    ...(isOwn ? [`history.by.own.${type}`] : []),
    `history.by.sentence.${type}`,
  ];
}

/** A sentence in the parts that it consists of: texts, and gaps by their names. */
export type Part = { text: string } | { gap: Gap };

/** @param pattern for instance `{actor} changed {object}` */
export function partsOf(pattern: string): Part[] {
  return pattern
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const gap = GAPS.find((name) => part === `{${name}}`);
      return gap ? { gap } : { text: part };
    });
}

/** A type of event in words: its sentence with nobody in it, for a list to choose from. */
export const inWords = (pattern: string): string =>
  partsOf(pattern)
    .map((part) => ("gap" in part ? "…" : part.text))
    .join("");

/** A value that the event recorded as such, for instance the domain. */
export function recorded({ changes }: AuditEvent, field: string): string | undefined {
  const value = changes.find((change) => change.field === field)?.to;
  return typeof value === "string" ? value : undefined;
}
