/**
 * A text of one level (instance or organization) in one language, whether it is a message's or the page texts:
 * what is done alike with both.
 */
import type { Context } from "../../context";
import type { Language } from "../../directory/policy/languages";
import type { Details, Origin } from "../../events/record";
import type { MessageType } from "../../message-types/table";
import type { Transaction } from "../../storage/database";
import { readAggregate } from "../../storage/event/event";
import { lockLoginText, loginTextId, readLoginText } from "../../storage/text/login-texts";
import { lockMessageText, readMessageText } from "../../storage/text/message-texts";
import { MESSAGE_FIELDS } from "../message-text";
import { overrideId, replaceOverride } from "../override";
import { replacePageTexts } from "../pages/level-page-texts";

export interface LevelText {
  /** Organization id or instance id. */
  ownerId: string;
  /** Undefined: the page texts. */
  type: MessageType | undefined;
  language: Language;
}

/** Only the level's own text, by the name of the field or word. */
export type OwnText = Readonly<Record<string, string>>;

/** Returns the id of the aggregate that counts the changes of the text. */
export const levelTextId = ({ type, ...of }: LevelText): string =>
  type === undefined ? loginTextId(of) : overrideId({ ...of, type });

/** Locks the text until this transaction ends. */
export const lockLevelText = (ctx: Context, tx: Transaction, { type, ...of }: LevelText): Promise<void> =>
  type === undefined ? lockLoginText(ctx.db, tx, of) : lockMessageText(ctx.db, tx, { ...of, type });

export async function readOwnText(tx: Transaction, { type, ...of }: LevelText): Promise<OwnText> {
  if (type === undefined) return (await readLoginText(tx, of)) ?? {};
  const stored = await readMessageText(tx, { ...of, type });
  return setFields(Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, stored?.[field]])));
}

/** Reads the aggregate of the text's changes; undefined if it was never changed. */
export const readHead = (tx: Transaction, text: LevelText) =>
  readAggregate(tx, text.type === undefined ? "login_text" : "message_text", levelTextId(text));

/** Replaces the whole text. @param author who wrote it, if not the user who approves it */
export function replaceOwnText(
  ctx: Context,
  tx: Transaction,
  { type, ...of }: LevelText,
  wanted: OwnText,
  origin: Origin,
  author?: string,
): Promise<Details> {
  return type === undefined
    ? replacePageTexts(ctx, tx, of, wanted, origin, author)
    : replaceOverride(ctx, tx, { ...of, type }, wanted, origin, author);
}

/** Returns the non-empty fields; empty ones fall back to the level above. */
export const setFields = (fields: Readonly<Record<string, string | null | undefined>>): OwnText =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const isSameText = (one: OwnText, other: OwnText): boolean => changedIn(one, other).length === 0;

/** Returns the names of the fields that differ. */
export const changedIn = (one: OwnText, other: OwnText): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((field) => one[field] !== other[field]);
