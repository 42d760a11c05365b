// Describes an event as a sentence: which text to use, and what fills its gaps.
import { changesRedirects } from "./changes";
import type { AuditEvent } from "./event";

/** The gaps of the sentences: the actor, the object, and other objects that the event mentions. */
export const GAPS = ["actor", "object", "person", "project", "app", "domain", "role"] as const;
export type Gap = (typeof GAPS)[number];

/** Returns the candidate text keys of an event; the first that exists applies. */
export function sentenceKeys({ type, actor, aggregate, changes }: AuditEvent): string[] {
  const isOwn = aggregate.type === "user" && aggregate.id === actor.id;
  return [
    ...(changesRedirects(type, changes) ? ["history.by.variant.redirects"] : []),
    ...(isOwn ? [`history.by.own.${type}`] : []),
    `history.by.sentence.${type}`,
  ];
}

/** A part of a sentence: a text, or a gap with its name. */
export type Part = { text: string } | { gap: Gap };

/**
 * Splits a sentence into its parts.
 * @param pattern a text such as `{actor} changed {object}`
 */
export function partsOf(pattern: string): Part[] {
  return pattern
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const gap = GAPS.find((name) => part === `{${name}}`);
      return gap ? { gap } : { text: part };
    });
}

/** Returns a string that the event recorded, for example the domain. */
export function recorded({ changes }: AuditEvent, field: string): string | undefined {
  const value = changes.find((change) => change.field === field)?.to;
  return typeof value === "string" ? value : undefined;
}
