/**
 * The override of a message text at one level (instance or organization), stored in its own row. Built-in texts are
 * never changed.
 */
import type { Context } from "../context";
import { answerableFor, OPERATOR } from "../directory/member/answerable";
import { type BuiltInLanguage, type Language, readBase } from "../directory/policy/languages";
import { difference } from "../events/difference";
import { type Details, type Origin, recordIn, toDetails, UNCHANGED } from "../events/record";
import type { MessageType } from "../message-types/table";
import type { Transaction } from "../storage/database";
import {
  deleteMessageText,
  findMessageText,
  lockMessageText,
  type MessageTextRow,
  readMessageText,
  writeMessageText,
} from "../storage/text/message-texts";
import { builtInText, type MessageText } from "./built-in";
import { MESSAGE_FIELDS, type MessageField, type MessageTextFields } from "./message-text";
import { replacedTexts } from "./replaced";

export interface OverrideKey {
  /** Organization id or instance id. */
  ownerId: string;
  type: MessageType;
  language: Language;
}

/** Returns the id of the aggregate that counts the changes of one text. */
export function overrideId({ ownerId, type, language }: OverrideKey): string {
  return `${ownerId}/${type}/${language}`;
}

/**
 * Changes the given fields if they differ. An omitted field keeps its text, an empty one falls back.
 * @returns whether anything changed
 */
export async function changeOverride(
  ctx: Context,
  tx: Transaction,
  key: OverrideKey,
  given: MessageTextFields,
  origin: Origin,
): Promise<"added" | "changed" | "unchanged"> {
  const stored = await readMessageText(tx, key);
  const wanted = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, given[field] === "" ? null : given[field]]));
  const changes = difference<Partial<Record<string, string | null>>>(stored ?? {}, wanted);
  if (!changes) return "unchanged";
  await recordIn(ctx, tx, {
    type: "message_text.set",
    aggregateId: overrideId(key),
    resourceOwner: key.ownerId,
    origin,
    async state(_, now) {
      // The author of the fields that stay remains answerable for them.
      const staying = MESSAGE_FIELDS.some((field) => given[field] === undefined && stored?.[field]);
      const before = stored && staying && stored.changedBy !== OPERATOR ? stored.changedBy : undefined;
      const changedBy = before === undefined ? await answerableFor(tx, origin) : before;
      const resulting = Object.fromEntries(
        MESSAGE_FIELDS.map((field) => [field, wanted[field] === undefined ? stored?.[field] : wanted[field]]),
      );
      const replaced = replacedOf(key, await readBase(tx, key.language), stored, resulting);
      await writeMessageText(tx, key, { ...changes.data, changedBy, replaced }, now);
      return { payload: changes.payload, isNew: !stored };
    },
  });
  return stored ? "changed" : "added";
}

/**
 * Replaces all fields of one level: omitted and empty ones fall back. If all are empty, the override is removed, so
 * that nothing is left to reset. If nothing differs, nothing is recorded and the details of the last change are
 * returned.
 * @param userId the author, if not the user who approves it
 */
export async function replaceOverride(
  ctx: Context,
  tx: Transaction,
  key: OverrideKey,
  given: MessageTextFields,
  origin: Origin,
  userId?: string,
): Promise<Details> {
  await lockMessageText(ctx.db, tx, key);
  return recordIn(ctx, tx, {
    type: "message_text.set",
    aggregateId: overrideId(key),
    resourceOwner: key.ownerId,
    origin,
    async state(_, now) {
      const stored = await readMessageText(tx, key);
      const wanted = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, given[field] || null]));
      const changes = difference<Partial<Record<string, string | null>>>(stored ?? {}, wanted);
      if (!changes) return UNCHANGED;
      const changedBy = await answerableFor(tx, origin);
      const replaced = replacedOf(key, await readBase(tx, key.language), stored, wanted);
      if (hasText(wanted)) await writeMessageText(tx, key, { ...wanted, changedBy, replaced }, now);
      else await deleteMessageText(tx, key);
      return { payload: { ...changes.payload, userId }, isNew: !stored };
    },
  });
}

/** Returns the built-in texts that the fields replace. */
function replacedOf(
  { type }: OverrideKey,
  base: BuiltInLanguage,
  stored: MessageTextRow | undefined,
  wanted: Partial<Record<string, string | null>>,
): Record<string, string> {
  const builtIn = builtInText(type, base);
  const before = stored && {
    own: Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, stored[field]])),
    replaced: (stored.replaced ?? {}) as Record<string, string>,
  };
  return replacedTexts(before, wanted, (field) => builtIn[field as MessageField]);
}

/** Removes the override of one level; returns undefined if it has none. */
export async function removeOverride(
  ctx: Context,
  tx: Transaction,
  key: OverrideKey,
  origin: Origin,
): Promise<Details | undefined> {
  await lockMessageText(ctx.db, tx, key);
  const stored = await readMessageText(tx, key);
  if (!stored || !hasText(stored)) return undefined;
  return recordIn(ctx, tx, {
    type: "message_text.removed",
    aggregateId: overrideId(key),
    resourceOwner: key.ownerId,
    origin,
    async state() {
      await deleteMessageText(tx, key);
      const fields = MESSAGE_FIELDS.filter((field) => stored[field]);
      return { payload: Object.fromEntries(fields.map((field) => [field, { from: stored[field], to: null }])) };
    },
  });
}

export interface Override {
  /** The level's own fields; empty ones fall back. */
  fields: MessageText;
  /** Whether the level has an override. */
  isSet: boolean;
  /** Sequence "0" if it never had one. */
  details: Details;
}

/** Returns the override of one level with its details, read from the database and not from the cache. */
export async function findOverride(ctx: Context, key: OverrideKey): Promise<Override> {
  const found = await findMessageText(ctx.db, key, overrideId(key));
  const fields = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, found?.[field] ?? ""])) as MessageText;
  const details = toDetails(found ?? { sequence: 0, resourceOwner: key.ownerId, createdAt: 0, changedAt: 0 });
  return { fields, isSet: hasText(fields), details };
}

/** Returns whether the level has an override, read within the transaction. */
export async function hasOverride(tx: Transaction, key: OverrideKey): Promise<boolean> {
  const stored = await readMessageText(tx, key);
  return stored !== undefined && hasText(stored);
}

function hasText(fields: Partial<Record<string, unknown>>): boolean {
  return MESSAGE_FIELDS.some((field) => fields[field]);
}
