/** Reads and checks the page texts that one level (instance or organization) has set in one language. Rule TEXT-8. */
import type { Context } from "../../context";
import { type BuiltInLanguage, baseOf } from "../../directory/policy/languages";
import { type Details, toDetails } from "../../events/record";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { findLoginText, type LoginTextKey, loginTextId, type StoredWords } from "../../storage/text/login-texts";
import type { OwnHosts } from "../addresses";
import { findTarget, type LoginTextTarget } from "../text-owner";
import { checkPageText } from "./check-page-text";
import { type GroupedPageTexts, groupedPageTexts, pageTextsOf } from "./page-texts";
import { readPageTexts } from "./resolve-page-texts";
import { unusedTextsIn } from "./zitadel-texts";

export interface ReadLoginText {
  words: GroupedPageTexts;
  /** Only the texts that the level itself has changed. */
  ownWords: GroupedPageTexts;
  /** Texts of the level that appear on no page (zitadel-texts.ts), by their stored names. */
  unusedWords: StoredWords;
  isDefault: boolean;
  details: Details;
}

/** Resolves the target of a request; an error for a language without texts. @returns `base`: of the built-in texts */
export async function findLoginTextKey(ctx: Context, { organizationId, language }: LoginTextTarget) {
  const found = await findTarget(ctx, { organizationId, language, type: undefined });
  return isApiError(found) ? found : { ...found, base: await baseOf(ctx, found.key.language) };
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
  const isOfInstance = target.organizationId === undefined;
  const words = { ...builtIn(base), ...(isOfInstance ? {} : await readPageTexts(ctx, key.language, undefined)) };
  // Built-in texts have no history of changes.
  const sequence = isOfInstance ? "0" : details.sequence;
  return {
    words: groupedPageTexts(words),
    ownWords: {},
    unusedWords: {},
    isDefault: true,
    details: { ...details, sequence },
  };
}

/** Returns the level's own texts; for an organization without any, and for the instance, those in force. */
export async function readCustomLoginText(ctx: Context, target: LoginTextTarget): Promise<ReadLoginText | ApiError> {
  const found = await findLoginTextKey(ctx, target);
  if (isApiError(found)) return found;
  const { key, base } = found;
  const { words, details } = await findOwnPageTexts(ctx, key);
  const isDefault = Object.keys(words).length === 0;
  const ownWords = groupedPageTexts(words);
  const own = { ownWords, unusedWords: unusedTextsIn(words), isDefault, details };
  if (!isDefault && target.organizationId !== undefined) return { words: ownWords, ...own };
  const inForce = isDefault ? await readPageTexts(ctx, key.language, undefined) : words;
  return { words: groupedPageTexts({ ...builtIn(base), ...inForce }), ...own };
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
