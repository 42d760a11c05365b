/**
 * The text of one level (instance or organization) in one language, of a message or of the pages, in its own row:
 * reading it, replacing it and removing it. Built-in texts are never changed. Writers lock the text first.
 */
import type { Context } from "../../context";
import { answerableFor, OPERATOR } from "../../directory/member/answerable";
import { readBase } from "../../directory/policy/languages";
import {
  type ChangeContext,
  type Details,
  recordIn,
  type TransactionContext,
  toDetails,
  UNCHANGED,
} from "../../events/record";
import type { Transaction } from "../../storage/database";
import { readAggregate } from "../../storage/event/event";
import {
  deleteLoginText,
  lockLoginText,
  loginTextId,
  readLoginTextRow,
  writeLoginText,
} from "../../storage/text/login-texts";
import {
  deleteMessageText,
  findMessageText,
  lockMessageText,
  readMessageText,
  writeMessageText,
  writeReplacedTexts,
} from "../../storage/text/message-texts";
import { builtInText } from "../built-in";
import { MESSAGE_FIELDS, type MessageField, type MessageTextFields } from "../message-text";
import { findOwnPageTexts } from "../pages/level-page-texts";
import { changeTakesPower, pageTextsOf } from "../pages/page-texts";
import { outdatedTexts, replacedTexts } from "../replaced";
import type { LevelMessageText, LevelText, OwnText } from "../text-owner";

interface StoredText {
  own: OwnText;
  /** The built-in text that each own text replaced. */
  replaced: OwnText;
  /** The user answerable for the text; null if unknown. */
  changedBy: string | null;
}

/** The type of the aggregate that counts the changes, and the beginning of their event types. */
export const aggregateOf = ({ type }: Pick<LevelText, "type">) => (type === undefined ? "login_text" : "message_text");

/** Returns the id of the aggregate that counts the changes of the text. */
export const levelTextId = ({ ownerId, type, language }: LevelText): string =>
  type === undefined ? loginTextId({ ownerId, language }) : `${ownerId}/${type}/${language}`;

/** Locks the text until this transaction ends. */
export const lockLevelText = (ctx: TransactionContext, { type, ...of }: LevelText): Promise<void> =>
  type === undefined ? lockLoginText(ctx.db, ctx.tx, of) : lockMessageText(ctx.db, ctx.tx, { ...of, type });

/** Returns the level's own text and the details of its last change, from one statement; sequence "0" if it has none. */
export async function findOwnText(
  ctx: Context,
  { type, ...of }: LevelText,
): Promise<{ own: OwnText; details: Details }> {
  if (type === undefined) {
    const { words, details } = await findOwnPageTexts(ctx, of);
    return { own: words, details };
  }
  const found = await findMessageText(ctx.db, { ...of, type }, levelTextId({ ...of, type }));
  const details = toDetails(found ?? { sequence: 0, resourceOwner: of.ownerId, createdAt: 0, changedAt: 0 });
  return { own: messageFieldsOf(found), details };
}

export const readOwnText = async (tx: Transaction, text: LevelText): Promise<OwnText> =>
  (await readStored(tx, text))?.own ?? {};

/** Reads the aggregate of the text's changes; undefined if it was never changed. */
export const readHead = (tx: Transaction, text: LevelText) => readAggregate(tx, aggregateOf(text), levelTextId(text));

/**
 * Replaces the whole text; fields that are omitted fall back. Without any field, the row is deleted, so that nothing is
 * left to reset. If nothing differs, nothing is recorded and the details of the last change are returned.
 * @param options.author the author, if not the user who approves the text
 * @param options.keepsAnswerable whether the user who was answerable for the stored text remains so
 */
export function replaceOwnText(
  ctx: ChangeContext,
  text: LevelText,
  wanted: OwnText,
  { author, keepsAnswerable = false }: { author?: string; keepsAnswerable?: boolean } = {},
): Promise<Details> {
  return recordIn(ctx, {
    type: `${aggregateOf(text)}.set`,
    ...textSubjectOf(text),
    async state(_, now) {
      const stored = await readStored(ctx.tx, text);
      const own = stored?.own ?? {};
      if (isSameText(own, wanted)) return UNCHANGED;
      const isOpen = text.type === undefined && !changeTakesPower(own, wanted);
      const before = stored?.changedBy ?? null;
      const changedBy = isOpen || (keepsAnswerable && before) ? before : await answerableFor(ctx);
      const replaced = replacedTexts(stored, wanted, await builtInOf(ctx.tx, text));
      await write(ctx.tx, text, { own: wanted, replaced, changedBy }, now);
      return { payload: { ...textChangesOf(text, own, wanted), userId: author }, isNew: !stored };
    },
  });
}

/**
 * Changes the given fields of a message text, as a bootstrap file does: an omitted field keeps its text, an empty one
 * falls back. The author of fields that stay remains answerable for the text.
 * @returns whether anything changed
 */
export async function changeOwnText(
  ctx: ChangeContext,
  text: LevelMessageText,
  given: MessageTextFields,
): Promise<"added" | "changed" | "unchanged"> {
  const stored = await readStored(ctx.tx, text);
  const own = stored?.own ?? {};
  const wanted = setFields(Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, given[field] ?? own[field]])));
  if (isSameText(own, wanted)) return "unchanged";
  const hasStaying = MESSAGE_FIELDS.some((field) => given[field] === undefined && own[field]);
  const keepsAnswerable = hasStaying && stored?.changedBy !== OPERATOR;
  await replaceOwnText(ctx, text, wanted, { keepsAnswerable });
  return stored ? "changed" : "added";
}

/** Removes the own text, so that the inherited one applies. @param own the text that is removed */
export function removeOwnText(ctx: ChangeContext, text: LevelText, own: OwnText): Promise<Details> {
  return recordIn(ctx, {
    type: `${aggregateOf(text)}.removed`,
    ...textSubjectOf(text),
    async state(_, now) {
      await write(ctx.tx, text, { own: {}, replaced: {}, changedBy: null }, now);
      return { payload: textChangesOf(text, own, {}) };
    },
  });
}

/**
 * Confirms that the own text remains although built-in texts have changed since: from then on it counts as a
 * replacement of the current ones, and no confirmation is requested again.
 */
export function keepOwnText(ctx: ChangeContext, text: LevelText): Promise<Details> {
  return recordIn(ctx, {
    type: `${aggregateOf(text)}.kept`,
    ...textSubjectOf(text),
    async state(_, now) {
      const stored = await readStored(ctx.tx, text);
      const { fields, current } = outdatedTexts(stored, await builtInOf(ctx.tx, text));
      if (!stored || fields.length === 0) return UNCHANGED;
      const { type, ...of } = text;
      if (type === undefined) await writeLoginText(ctx.tx, of, { ...wordsOf(stored), replaced: current }, now);
      else await writeReplacedTexts(ctx.tx, { ...of, type }, current);
      return { payload: { fields } };
    },
  });
}

/** Returns what events about the text have in common. */
export const textSubjectOf = (text: LevelText) => ({
  object: { id: levelTextId(text), organizationId: text.ownerId },
});

async function readStored(tx: Transaction, { type, ...of }: LevelText): Promise<StoredText | undefined> {
  if (type === undefined) {
    const row = await readLoginTextRow(tx, of);
    return row && { own: row.words, replaced: row.replaced, changedBy: row.changedBy };
  }
  const row = await readMessageText(tx, { ...of, type });
  return row && { own: messageFieldsOf(row), replaced: (row.replaced ?? {}) as OwnText, changedBy: row.changedBy };
}

async function write(tx: Transaction, { type, ...of }: LevelText, stored: StoredText, now: number): Promise<void> {
  const isEmpty = Object.keys(stored.own).length === 0;
  if (type === undefined) return isEmpty ? deleteLoginText(tx, of) : writeLoginText(tx, of, wordsOf(stored), now);
  const key = { ...of, type };
  const { own, replaced, changedBy } = stored;
  const columns = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, own[field] ?? null]));
  if (isEmpty) await deleteMessageText(tx, key);
  else await writeMessageText(tx, key, { ...columns, replaced, changedBy }, now);
}

const wordsOf = ({ own: words, replaced, changedBy }: StoredText) => ({ words, replaced, changedBy });

const messageFieldsOf = (row: Readonly<Partial<Record<MessageField, string | null>>> | undefined): OwnText =>
  setFields(Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, row?.[field]])));

/** Returns a function that gives the current built-in text of a field; undefined for an unknown one. */
async function builtInOf(tx: Transaction, { type, language }: LevelText) {
  const base = await readBase(tx, language);
  if (type === undefined) return (name: string) => pageTextsOf(base).get(name)?.text;
  return (field: string): string | undefined => builtInText(type, base)[field as MessageField];
}

/** Returns the changes as the event of the text contains them. */
export function textChangesOf({ type }: LevelText, own: OwnText, wanted: OwnText) {
  const changed = changedIn(own, wanted);
  const pick = (from: OwnText) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  if (type === undefined) return { words: { from: pick(own), to: pick(wanted) } };
  return Object.fromEntries(changed.map((field) => [field, { from: own[field] ?? null, to: wanted[field] ?? null }]));
}

/** Returns the non-empty fields; empty ones fall back to the level above. */
export const setFields = (fields: Readonly<Record<string, string | null | undefined>>): OwnText =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const isSameText = (one: OwnText, other: OwnText): boolean => changedIn(one, other).length === 0;

const changedIn = (one: OwnText, other: OwnText): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((field) => one[field] !== other[field]);
