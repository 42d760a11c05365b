// The state of one text in one language: the level's own fields, the text beneath, and the draft. Rule TEXT-3: an empty field
// falls back; to leave a field empty on purpose, it contains a space.
import type { Schemas } from "../../../server/api/generated/operations";
import type { TextLayer } from "../../../server/texts/resolve";
import type { SamplePerson } from "../../../server/texts/sample-persons";
import type { MessageField } from "./messages";

export type Level = "instance" | "organization";
/** Missing and empty fields are not set. */
export type Values = Readonly<Partial<Record<MessageField, string>>>;

/** The answer of `_explain`; texts that were never set have no sequence. */
export type ExplainAnswer = Pick<Schemas["Explanation"], "fields"> & {
  readonly details: Pick<Schemas["Explanation"]["details"], "sequence" | "changeDate">;
};

export interface Inherited {
  text: string;
  layer: Exclude<TextLayer, "organization">;
}

export interface SavedText {
  own: Values;
  /** The text that applies to fields that are not set. */
  inherited: Readonly<Partial<Record<MessageField, Inherited>>>;
  /** The number of changes, "0" if there were none. */
  sequence: string;
  /** ISO 8601. */
  changeDate: string | undefined;
}

export function savedTextOf(level: Level, { fields, details }: ExplainAnswer): SavedText {
  const own: Partial<Record<MessageField, string>> = {};
  const inherited: Partial<Record<MessageField, Inherited>> = {};
  for (const [name, { organization, instance, builtIn }] of Object.entries(fields)) {
    const field = name as MessageField;
    const said = level === "organization" ? organization : instance;
    if (said) own[field] = said;
    const fromInstance = level === "organization" ? instance : undefined;
    inherited[field] = fromInstance ? { text: fromInstance, layer: "instance" } : { text: builtIn, layer: "built_in" };
  }
  return { own, inherited, sequence: details.sequence ?? "0", changeDate: details.changeDate };
}

/** Leaves a field empty on purpose: a space counts as set and shows nothing. */
export const BLANK = " ";
export const isBlank = (value: string | undefined): boolean => Boolean(value) && value?.trim() === "";

/** Where the text that people get comes from: this level, or one beneath. */
export type FieldState = "customized" | "blank" | "instance" | "built_in";

export function fieldState(
  values: Values,
  { inherited }: Pick<SavedText, "inherited">,
  field: MessageField,
): FieldState {
  if (isBlank(values[field])) return "blank";
  if (values[field]) return "customized";
  return inherited[field]?.layer ?? "built_in";
}

/** The text that people get in the field. */
export const inForce = (values: Values, { inherited }: Pick<SavedText, "inherited">, field: MessageField): string =>
  values[field] || (inherited[field]?.text ?? "");

/** The fields in which two texts differ. */
export function changedFields(one: Values, other: Values): MessageField[] {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)] as MessageField[]);
  return [...fields].filter((field) => (one[field] ?? "") !== (other[field] ?? ""));
}

/** Only the fields that are set. */
export function setFields(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

export type Preview = Schemas["Preview"];
export type { SamplePerson };

/** The body for `_preview` and `_test_send`. */
export const previewRequest = (values: Values, sample: SamplePerson) => ({ fields: setFields(values), sample });

export type Side = "mine" | "theirs";

/**
 * For two people who changed the same text: the fields in which they differ, and whose version is proposed. A field
 * that only one of them changed is taken from that person; for fields that both changed, mine is proposed first.
 */
export function proposeMerge(base: Values, mine: Values, theirs: Values): Partial<Record<MessageField, Side>> {
  const touchedByMe = new Set(changedFields(base, mine));
  return Object.fromEntries(
    changedFields(mine, theirs).map((field) => [field, touchedByMe.has(field) ? "mine" : "theirs"]),
  );
}

export function merge(mine: Values, theirs: Values, sides: Partial<Record<MessageField, Side>>): Values {
  const chosen = Object.entries(sides).map(([field, side]) => [
    field,
    (side === "mine" ? mine : theirs)[field as MessageField] ?? "",
  ]);
  return setFields({ ...mine, ...Object.fromEntries(chosen) });
}
