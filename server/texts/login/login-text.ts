/**
 * The words that one level (instance or organization) has changed in one language: reading, replacing, removing them.
 * Rule TEXT-8.
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { type Details, type Origin, recordIn, toDetails, UNCHANGED } from "../../events/record";
import { type ApiError, aborted, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readAggregate } from "../../storage/events";
import {
  deleteLoginText,
  findLoginText,
  type LoginTextKey,
  lockLoginText,
  readLoginText,
  type StoredWords,
  writeLoginText,
} from "../../storage/login-texts";
import type { OwnHosts } from "../addresses";
import type { Language } from "../languages";
import { ownHosts } from "../own-hosts";
import { supportedLanguage, textOwner } from "../text-owner";
import { checkWord } from "./check-word";
import { readWords } from "./resolve";
import { flatWords, type GroupedWords, groupedWords, wordsOf } from "./words";

/** The words that a request names. */
export interface LoginTextTarget {
  /** Undefined: those of the instance. */
  organizationId: string | undefined;
  /** As given, not validated. */
  language: string;
}

export interface ReadLoginText {
  words: GroupedWords;
  /** What the level itself has changed. */
  ownWords: GroupedWords;
  isDefault: boolean;
  details: Details;
}

const aggregateIdOf = ({ ownerId, language }: LoginTextKey) => `${ownerId}/${language}`;

interface Found {
  key: LoginTextKey & { language: Language };
  instanceId: string;
}

async function findKey(ctx: Context, target: LoginTextTarget): Promise<Found | ApiError> {
  const language = supportedLanguage(target.language);
  if (isApiError(language)) return language;
  const { ownerId, instanceId } = await textOwner(ctx, target.organizationId);
  return { key: { ownerId, language }, instanceId };
}

async function stored(ctx: Context, key: LoginTextKey): Promise<{ words: StoredWords; details: Details }> {
  const row = await findLoginText(ctx.db, key, aggregateIdOf(key));
  const details = toDetails(row ?? { sequence: 0, resourceOwner: key.ownerId, createdAt: 0, changedAt: 0 });
  return { words: row?.words ?? {}, details };
}

const builtIn = (language: Language) =>
  Object.fromEntries([...wordsOf(language)].map(([name, { text }]) => [name, text]));

/** What applies where the level says nothing: the built-in words, for an organization with the instance's over them. */
export async function readDefaultLoginText(ctx: Context, target: LoginTextTarget): Promise<ReadLoginText | ApiError> {
  const found = await findKey(ctx, target);
  if (isApiError(found)) return found;
  const { key, instanceId } = found;
  const { details } = await stored(ctx, { ...key, ownerId: instanceId });
  if (target.organizationId === undefined) {
    // Built-in words were never changed.
    return {
      words: groupedWords(builtIn(key.language)),
      ownWords: {},
      isDefault: true,
      details: { ...details, sequence: "0" },
    };
  }
  const instance = await readWords(ctx, key.language, undefined);
  return { words: groupedWords({ ...builtIn(key.language), ...instance }), ownWords: {}, isDefault: true, details };
}

/** The level's own words; where an organization has none, and for the instance, those in force. */
export async function readCustomLoginText(ctx: Context, target: LoginTextTarget): Promise<ReadLoginText | ApiError> {
  const found = await findKey(ctx, target);
  if (isApiError(found)) return found;
  const { key } = found;
  const { words, details } = await stored(ctx, key);
  const isDefault = Object.keys(words).length === 0;
  const ownWords = groupedWords(words);
  if (!isDefault && target.organizationId !== undefined) return { words: ownWords, ownWords, isDefault, details };
  const inForce = isDefault ? await readWords(ctx, key.language, undefined) : words;
  return { words: groupedWords({ ...builtIn(key.language), ...inForce }), ownWords, isDefault, details };
}

export interface SetLoginText extends LoginTextTarget {
  words: Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>>;
  /** The If-Match header: the sequence that the writer has seen. */
  ifMatch?: string;
}

/** Replaces all words of the level in the language; what is left out or empty falls back. */
export async function setLoginText(
  ctx: Context,
  request: SetLoginText,
  origin: Origin,
): Promise<{ details: Details } | ApiError> {
  const found = await findKey(ctx, request);
  if (isApiError(found)) return found;
  const { key } = found;
  const wanted = flatWords(request.words);
  const refusal = await checkWords(ctx, request.organizationId, key.language, wanted);
  if (refusal) return refusal;
  const details = await changeDirectory(ctx, async (tx) => {
    await lockLoginText(ctx.db, tx, key);
    return (await checkSeen(tx, key, request.ifMatch)) ?? replaceWords(ctx, tx, key, wanted, origin);
  });
  return isApiError(details) ? details : { details };
}

async function checkWords(
  ctx: Context,
  organizationId: string | undefined,
  language: Language,
  wanted: StoredWords,
): Promise<ApiError | undefined> {
  return wrongWord(language, wanted, await ownHosts(ctx, organizationId));
}

/** The refusal of the first word that is wrong, which is its field. */
export function wrongWord(language: Language, wanted: StoredWords, own: OwnHosts): ApiError | undefined {
  for (const [name, text] of Object.entries(wanted)) {
    const word = wordsOf(language).get(name);
    const error = word && checkWord(word, text, own);
    if (!error) continue;
    const { fault, message, limit, position } = error;
    return invalidArgument(`login_text.${fault}`, `${name}: ${message}`, { field: name, limit, position });
  }
  return undefined;
}

/** Replaces the words of one level and language within the caller's transaction; the caller has checked them. */
export function replaceWords(ctx: Context, tx: Transaction, key: LoginTextKey, wanted: StoredWords, origin: Origin) {
  return recordIn(ctx, tx, {
    type: "login_text.set",
    aggregateId: aggregateIdOf(key),
    resourceOwner: key.ownerId,
    origin,
    async state(_, now) {
      const before = await readLoginText(tx, key);
      const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(wanted)])];
      const changed = names.filter((name) => before?.[name] !== wanted[name]);
      if (changed.length === 0) return UNCHANGED;
      if (Object.keys(wanted).length > 0) await writeLoginText(tx, key, wanted, now);
      else await deleteLoginText(tx, key);
      const pick = (words: StoredWords = {}) => Object.fromEntries(changed.map((name) => [name, words[name] ?? null]));
      return { payload: { words: { from: pick(before), to: pick(wanted) } }, isNew: !before };
    },
  });
}

/** Removes the words of one level and language, so that the level beneath applies; 404 if there are none. */
export async function resetLoginText(
  ctx: Context,
  request: LoginTextTarget & { ifMatch?: string },
  origin: Origin,
): Promise<{ details: Details } | ApiError> {
  const found = await findKey(ctx, request);
  if (isApiError(found)) return found;
  const { key } = found;
  const details = await changeDirectory(ctx, async (tx) => {
    await lockLoginText(ctx.db, tx, key);
    const refusal = await checkSeen(tx, key, request.ifMatch);
    if (refusal) return refusal;
    if (!(await readLoginText(tx, key))) {
      return notFound("login_text.not_found", "There are no words of its own here that could be reset.");
    }
    return recordIn(ctx, tx, {
      type: "login_text.removed",
      aggregateId: aggregateIdOf(key),
      resourceOwner: key.ownerId,
      origin,
      async state() {
        await deleteLoginText(tx, key);
        return {};
      },
    });
  });
  return isApiError(details) ? details : { details };
}

/** If-Match (RFC 9110 §13.1.1), inside the writing transaction. */
async function checkSeen(tx: Transaction, key: LoginTextKey, ifMatch: string | undefined) {
  if (ifMatch === undefined) return undefined;
  const named = ifMatch.split(",").map((tag) => tag.trim().replace(/^"(.*)"$/, "$1"));
  if (!named.every((tag) => /^(\d{1,19}|\*)$/.test(tag))) {
    const field = "If-Match";
    return invalidArgument("request.if_match", "If-Match takes the sequence of the details, or *.", { field });
  }
  const sequence = (await readAggregate(tx, "login_text", aggregateIdOf(key)))?.sequence ?? 0;
  if (named.includes(String(sequence)) || (named.includes("*") && (await readLoginText(tx, key)))) return undefined;
  const reason = "The words have changed meanwhile: read them again, then decide.";
  return aborted("login_text.sequence_mismatch", reason, { status: 412 });
}
