/**
 * A text of one level (instance or organization) in one language, whether it is a message's or the page texts:
 * what is done alike with both.
 */
import type { Context } from "../../context";
import type { Language } from "../../directory/policy/languages";
import type { Details, Origin } from "../../events/record";
import type { MessageType } from "../../message-types/table";
import type { Transaction } from "../../storage/database";
import { readAggregate } from "../../storage/events";
import { lockLoginText, readLoginText } from "../../storage/login-texts";
import { lockMessageText, readMessageText } from "../../storage/message-texts";
import { loginTextId, replaceWords } from "../login/login-text";
import { MESSAGE_FIELDS } from "../message-text";
import { overrideId, replaceOverride } from "../override";

export interface LevelText {
  /** Organization id or instance id. */
  ownerId: string;
  /** Undefined: the page texts. */
  type: MessageType | undefined;
  language: Language;
}

/** By the name of the field or word; only what the level itself says. */
export type OwnText = Readonly<Record<string, string>>;

/** The id of the aggregate that counts its changes. */
export const levelTextId = ({ type, ...of }: LevelText): string =>
  type === undefined ? loginTextId(of) : overrideId({ ...of, type });

/** Makes other writers of the text wait until this transaction ends. */
export const lockLevelText = (ctx: Context, tx: Transaction, { type, ...of }: LevelText): Promise<void> =>
  type === undefined ? lockLoginText(ctx.db, tx, of) : lockMessageText(ctx.db, tx, { ...of, type });

export async function readOwnText(tx: Transaction, { type, ...of }: LevelText): Promise<OwnText> {
  if (type === undefined) return (await readLoginText(tx, of)) ?? {};
  const stored = await readMessageText(tx, { ...of, type });
  return setFields(Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, stored?.[field]])));
}

/** The head of its changes; undefined if there never was one. */
export const readHead = (tx: Transaction, text: LevelText) =>
  readAggregate(tx, text.type === undefined ? "login_text" : "message_text", levelTextId(text));

/** Replaces all of it. @param author who wrote it, if that is not who approves it */
export function replaceOwnText(
  ctx: Context,
  tx: Transaction,
  { type, ...of }: LevelText,
  wanted: OwnText,
  origin: Origin,
  author?: string,
): Promise<Details> {
  return type === undefined
    ? replaceWords(ctx, tx, of, wanted, origin, author)
    : replaceOverride(ctx, tx, { ...of, type }, wanted, origin, author);
}

/** Without those that are empty, as they fall back. */
export const setFields = (fields: Readonly<Record<string, string | null | undefined>>): OwnText =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const isSameText = (one: OwnText, other: OwnText): boolean => changedIn(one, other).length === 0;

/** The fields in which they differ. */
export const changedIn = (one: OwnText, other: OwnText): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((field) => one[field] !== other[field]);
