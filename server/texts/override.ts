/** What one level (instance or organization) says in a message: its own row, beside the built-in texts, never in them. */
import type { Context } from "../context";
import { difference } from "../events/difference";
import { type Details, type Origin, recordIn, toDetails, UNCHANGED } from "../events/record";
import type { Transaction } from "../storage/database";
import {
  deleteMessageText,
  findMessageText,
  lockMessageText,
  readMessageText,
  writeMessageText,
} from "../storage/message-texts";
import type { MessageText } from "./built-in";
import type { MessageType } from "./kinds";
import type { Language } from "./languages";
import { MESSAGE_FIELDS, type MessageTextFields } from "./message-text";

export interface OverrideKey {
  /** Organization id or instance id. */
  ownerId: string;
  type: MessageType;
  language: Language;
}

/** The aggregate that counts the changes of one text. */
export function overrideId({ ownerId, type, language }: OverrideKey): string {
  return `${ownerId}/${type}/${language}`;
}

/**
 * Writes the given fields where they differ; a field left out stays as it is, an empty one falls back.
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
      await writeMessageText(tx, key, changes.data, now);
      return { payload: changes.payload };
    },
  });
  return stored ? "changed" : "added";
}

/**
 * Replaces the whole text of one level: a field left out or empty falls back. A text without any field is none, so that
 * nothing is left to reset. Where nothing differs, nothing is recorded and the details are those of the last change.
 */
export async function replaceOverride(
  ctx: Context,
  tx: Transaction,
  key: OverrideKey,
  given: MessageTextFields,
  origin: Origin,
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
      if (hasText(wanted)) await writeMessageText(tx, key, wanted, now);
      else await deleteMessageText(tx, key);
      return { payload: changes.payload };
    },
  });
}

/** Removes the text of one level; undefined where it has none. */
export async function removeOverride(
  ctx: Context,
  tx: Transaction,
  key: OverrideKey,
  origin: Origin,
): Promise<Details | undefined> {
  await lockMessageText(ctx.db, tx, key);
  if (!(await hasOverride(tx, key))) return undefined;
  return recordIn(ctx, tx, {
    type: "message_text.removed",
    aggregateId: overrideId(key),
    resourceOwner: key.ownerId,
    origin,
    async state() {
      await deleteMessageText(tx, key);
      return {};
    },
  });
}

export interface Override {
  /** The level's own fields, empty where it says nothing. */
  fields: MessageText;
  /** Whether it says anything. */
  isSet: boolean;
  /** Sequence "0" where it never did. */
  details: Details;
}

/** What one level says, and the history of it, as the database has it now. */
export async function findOverride(ctx: Context, key: OverrideKey): Promise<Override> {
  const found = await findMessageText(ctx.db, key, overrideId(key));
  const fields = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, found?.[field] ?? ""])) as MessageText;
  const details = toDetails(found ?? { sequence: 0, resourceOwner: key.ownerId, createdAt: 0, changedAt: 0 });
  return { fields, isSet: hasText(fields), details };
}

/** Whether the level says anything, as a transaction sees it. */
export async function hasOverride(tx: Transaction, key: OverrideKey): Promise<boolean> {
  const stored = await readMessageText(tx, key);
  return stored !== undefined && hasText(stored);
}

function hasText(fields: Partial<Record<string, unknown>>): boolean {
  return MESSAGE_FIELDS.some((field) => fields[field]);
}
