/**
 * Reads and replaces the page texts that one level (instance or organization) has changed in one language. Rule TEXT-8.
 */
import type { Context } from "../../context";
import { answerableFor } from "../../directory/member/answerable";
import {
  type BuiltInLanguage,
  baseOf,
  type Language,
  readBase,
  supportedLanguage,
} from "../../directory/policy/languages";
import { type Details, type Origin, recordIn, toDetails, UNCHANGED } from "../../events/record";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import {
  deleteLoginText,
  findLoginText,
  type LoginTextKey,
  loginTextId,
  readLoginTextRow,
  type StoredWords,
  writeLoginText,
} from "../../storage/text/login-texts";
import type { OwnHosts } from "../addresses";
import { replacedTexts } from "../replaced";
import { textOwner } from "../text-owner";
import { checkPageText } from "./check-page-text";
import { changeTakesPower, type GroupedPageTexts, groupedPageTexts, pageTextsOf } from "./page-texts";
import { readPageTexts } from "./resolve-page-texts";

/** The texts that a request names. */
export interface LoginTextTarget {
  /** Undefined: the instance's texts. */
  organizationId: string | undefined;
  /** The value from the request, not validated. */
  language: string;
}

export interface ReadLoginText {
  words: GroupedPageTexts;
  /** Only the texts that the level itself has changed. */
  ownWords: GroupedPageTexts;
  isDefault: boolean;
  details: Details;
}

/** The resolved target of a request, with its instance. */
export interface FoundLoginText {
  key: LoginTextKey & { language: Language };
  /** The language of the built-in texts. */
  base: BuiltInLanguage;
  instanceId: string;
}

/** Resolves the target of a request; an error for a language without texts. */
export async function findLoginTextKey(ctx: Context, target: LoginTextTarget): Promise<FoundLoginText | ApiError> {
  const language = await supportedLanguage(ctx, target.language);
  if (isApiError(language)) return language;
  const { ownerId, instanceId } = await textOwner(ctx, target.organizationId);
  return { key: { ownerId, language }, base: await baseOf(ctx, language), instanceId };
}

/** Returns the level's own texts, the built-in texts they replaced, and the details of the last change. */
export async function findOwnPageTexts(
  ctx: Context,
  key: LoginTextKey,
): Promise<{ words: StoredWords; replaced: StoredWords; details: Details }> {
  const row = await findLoginText(ctx.db, key, loginTextId(key));
  const details = toDetails(row ?? { sequence: 0, resourceOwner: key.ownerId, createdAt: 0, changedAt: 0 });
  return { words: row?.words ?? {}, replaced: row?.replaced ?? {}, details };
}

const builtIn = (language: BuiltInLanguage) =>
  Object.fromEntries([...pageTextsOf(language)].map(([name, { text }]) => [name, text]));

/** Returns the inherited texts: the built-in ones or, for an organization, the instance's merged over them. */
export async function readDefaultLoginText(ctx: Context, target: LoginTextTarget): Promise<ReadLoginText | ApiError> {
  const found = await findLoginTextKey(ctx, target);
  if (isApiError(found)) return found;
  const { key, base, instanceId } = found;
  const { details } = await findOwnPageTexts(ctx, { ...key, ownerId: instanceId });
  if (target.organizationId === undefined) {
    // Built-in texts have no history of changes.
    return {
      words: groupedPageTexts(builtIn(base)),
      ownWords: {},
      isDefault: true,
      details: { ...details, sequence: "0" },
    };
  }
  const instance = await readPageTexts(ctx, key.language, undefined);
  return { words: groupedPageTexts({ ...builtIn(base), ...instance }), ownWords: {}, isDefault: true, details };
}

/** Returns the level's own texts; for an organization without any, and for the instance, those in force. */
export async function readCustomLoginText(ctx: Context, target: LoginTextTarget): Promise<ReadLoginText | ApiError> {
  const found = await findLoginTextKey(ctx, target);
  if (isApiError(found)) return found;
  const { key, base } = found;
  const { words, details } = await findOwnPageTexts(ctx, key);
  const isDefault = Object.keys(words).length === 0;
  const ownWords = groupedPageTexts(words);
  if (!isDefault && target.organizationId !== undefined) return { words: ownWords, ownWords, isDefault, details };
  const inForce = isDefault ? await readPageTexts(ctx, key.language, undefined) : words;
  return { words: groupedPageTexts({ ...builtIn(base), ...inForce }), ownWords, isDefault, details };
}

/** Returns an error for the first invalid word. @param language the language of the built-in texts */
export function checkPageTexts(language: BuiltInLanguage, wanted: StoredWords, own: OwnHosts): ApiError | undefined {
  for (const [name, text] of Object.entries(wanted)) {
    const word = pageTextsOf(language).get(name);
    const error = word && checkPageText(word, text, own);
    if (!error) continue;
    const { fault, message, limit, position } = error;
    return invalidArgument(`login_text.${fault}`, `${name}: ${message}`, { field: name, limit, position });
  }
  return undefined;
}

/**
 * Replaces the texts of one level and language within the caller's transaction; the caller has checked them.
 * @param userId the author, if not the user who approves them
 */
export function replacePageTexts(
  ctx: Context,
  tx: Transaction,
  key: LoginTextKey,
  wanted: StoredWords,
  origin: Origin,
  userId?: string,
) {
  return recordIn(ctx, tx, {
    type: "login_text.set",
    aggregateId: loginTextId(key),
    resourceOwner: key.ownerId,
    origin,
    async state(_, now) {
      const stored = await readLoginTextRow(tx, key);
      const before = stored?.words;
      const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(wanted)])];
      const changed = names.filter((name) => before?.[name] !== wanted[name]);
      if (changed.length === 0) return UNCHANGED;
      const known = pageTextsOf(await readBase(tx, key.language as Language));
      const kept = stored && { own: stored.words, replaced: stored.replaced };
      const replaced = replacedTexts(kept, wanted, (name) => known.get(name)?.text);
      const changedBy = changeTakesPower(before ?? {}, wanted)
        ? await answerableFor(tx, origin)
        : (stored?.changedBy ?? null);
      if (Object.keys(wanted).length > 0) await writeLoginText(tx, key, { words: wanted, replaced, changedBy }, now);
      else await deleteLoginText(tx, key);
      const pick = (words: StoredWords = {}) => Object.fromEntries(changed.map((name) => [name, words[name] ?? null]));
      return { payload: { words: { from: pick(before), to: pick(wanted) }, userId }, isNew: !before };
    },
  });
}
