// The state of one text in one language: the level's own fields, the inherited text, and the draft. Rule TEXT-3: an
// empty field falls back; to leave a field empty on purpose, it contains a space.
import type { Schemas } from "../../../server/api/generated/operations";
import type { TextLayer } from "../../../server/texts/resolve";
import type { SamplePerson } from "../../../server/texts/sample-persons";
import type { Level } from "../parts/level";

/** Texts by field name, of a message or of page words. Missing and empty fields are not set. */
export type Values = Readonly<Partial<Record<string, string>>>;

/** The response of `_explain`; texts that were never set have no sequence. */
export type ExplainAnswer = Pick<Schemas["Explanation"], "fields"> & {
  readonly language: Writings;
  readonly details: Pick<Schemas["Explanation"]["details"], "sequence" | "changeDate">;
};

/** The language of a text, and that of its built-in words, which differs for languages added by an administrator. */
export interface Writings {
  used: string;
  builtIn: string;
}

export interface Inherited {
  text: string;
  /** The language in which the text is written. */
  language: string;
  layer: Exclude<TextLayer, "organization">;
}

/** A built-in text at the time of customization, and its current version. */
export interface BuiltInChange {
  before: string;
  now: string;
}

/** The text of each level in a field. */
export interface Explained {
  organization?: string;
  instance?: string;
  builtIn: string;
  builtInThen?: string;
}

export interface SavedText {
  own: Values;
  /** The text that applies to fields that are not set. */
  inherited: Readonly<Partial<Record<string, Inherited>>>;
  /** The level's own fields whose built-in text has changed since they were written. */
  outdated: Readonly<Partial<Record<string, BuiltInChange>>>;
  /** The number of changes, "0" if there were none. */
  sequence: string;
  /** The date of the last change in ISO 8601. */
  changeDate: string | undefined;
}

export function savedTextOf(level: Level, { fields, language, details }: ExplainAnswer): SavedText {
  return savedOf(level, fields, language, details);
}

export function savedOf(
  level: Level,
  fields: Readonly<Record<string, Explained>>,
  { used, builtIn: base }: Writings,
  details: ExplainAnswer["details"],
): SavedText {
  const own: Partial<Record<string, string>> = {};
  const inherited: Partial<Record<string, Inherited>> = {};
  const outdated: Partial<Record<string, BuiltInChange>> = {};
  for (const [field, { organization, instance, builtIn, builtInThen }] of Object.entries(fields)) {
    const said = level === "organization" ? organization : instance;
    if (said) own[field] = said;
    const fromInstance = level === "organization" ? instance : undefined;
    inherited[field] = fromInstance
      ? { text: fromInstance, language: used, layer: "instance" }
      : { text: builtIn, language: base, layer: "built_in" };
    if (said && builtInThen !== undefined) outdated[field] = { before: builtInThen, now: builtIn };
  }
  return { own, inherited, outdated, sequence: details.sequence ?? "0", changeDate: details.changeDate };
}

/** Leaves a field empty on purpose: a space counts as set and shows nothing. */
export const BLANK = " ";
export const isBlank = (value: string | undefined): boolean => Boolean(value) && value?.trim() === "";

/** The level that the effective text comes from, and whether the field is empty on purpose. */
export type FieldState = "customized" | "blank" | "instance" | "built_in";

export function fieldState(values: Values, { inherited }: Pick<SavedText, "inherited">, field: string): FieldState {
  if (isBlank(values[field])) return "blank";
  if (values[field]) return "customized";
  return inherited[field]?.layer ?? "built_in";
}

/** Returns the effective text of a field. */
export const textInForce = (values: Values, { inherited }: Pick<SavedText, "inherited">, field: string): string =>
  values[field] || (inherited[field]?.text ?? "");

/** Returns the fields in which two texts differ. */
export function changedFields(one: Values, other: Values): string[] {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].filter((field) => (one[field] ?? "") !== (other[field] ?? ""));
}

/** Returns only the fields that are set. */
export function filledValues(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

/** A preview without its page, which a frame requests itself. */
export type MessagePreview = Omit<Schemas["Preview"], "html">;
export type { SamplePerson };

/** Returns the body for `_preview` and `_test_send`. */
export const previewRequest = (values: Values, sample: SamplePerson) => ({ fields: filledValues(values), sample });

export type Side = "mine" | "theirs";

/**
 * Returns the fields in which the versions of two users differ, and whose version is proposed. A field that only one of
 * them changed is taken from that user; for fields that both changed, mine is proposed.
 */
export function proposeMerge(base: Values, mine: Values, theirs: Values): Partial<Record<string, Side>> {
  const touchedByMe = new Set(changedFields(base, mine));
  return Object.fromEntries(
    changedFields(mine, theirs).map((field) => [field, touchedByMe.has(field) ? "mine" : "theirs"]),
  );
}

export function merge(mine: Values, theirs: Values, sides: Partial<Record<string, Side>>): Values {
  const chosen = Object.entries(sides).map(([field, side]) => [field, (side === "mine" ? mine : theirs)[field] ?? ""]);
  return filledValues({ ...mine, ...Object.fromEntries(chosen) });
}
