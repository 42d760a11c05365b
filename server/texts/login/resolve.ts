/**
 * The words in force on a page, word by word: the organization's, else the instance's, else the built-in ones. Cached
 * like the other settings of pages and emptied by the same announcements, so that a page view asks no database.
 */
import type { ChangedWords } from "../../../messages/login";
import type { Context } from "../../context";
import { fingerprint } from "../../crypto/digest";
import { createCache } from "../../directory/cache";
import { mayOpenAllAccounts } from "../../directory/member/privileges";
import { type BuiltInLanguage, baseOf, type Language } from "../../directory/policy/languages";
import { listLoginTexts, type StoredWords } from "../../storage/login-texts";
import { ownHosts, serviceHosts } from "../own-hosts";
import { checkWord, toMessage } from "./check-word";
import { changeTakesPower, wordsOf, wordsWithoutPower } from "./words";

const pageWords = createCache<{ words: ChangedWords | undefined }>();

/** Undefined: all words are the built-in ones. @param organizationId undefined: the instance's */
export async function findPageWords(
  ctx: Context,
  language: Language,
  organizationId: string | undefined,
): Promise<ChangedWords | undefined> {
  const found = await pageWords.get(ctx, `${language}/${organizationId ?? ""}`, async () => {
    const words = Object.entries(await readWords(ctx, language, organizationId));
    if (words.length === 0) return { words: undefined };
    const base = await baseOf(ctx, language);
    const known = wordsOf(base);
    const messages = Object.fromEntries(
      words.flatMap(([name, text]) => {
        const word = known.get(name);
        return word ? [[word.path, toMessage(word, text)] as const] : [];
      }),
    );
    return { words: { version: fingerprint(JSON.stringify([language, base, messages])), messages } };
  });
  return found?.words;
}

/**
 * The changed words in force, by `group.key`, straight from the database. What may no longer be said is left out: its
 * domain was lost, its variable went, or it takes power over its readers and somebody of the organization has been given
 * more than its author has, as with texts of messages (usable.ts).
 */
export async function readWords(
  ctx: Context,
  language: Language,
  organizationId: string | undefined,
): Promise<StoredWords> {
  const levels = await listLoginTexts(ctx.db, { language, organizationId: organizationId ?? null });
  const { instance, organization } = levels;
  const base = await baseOf(ctx, language);
  const ofInstance = usable(base, instance?.words ?? {}, serviceHosts(ctx));
  if (!organization || organizationId === undefined) return ofInstance;
  const own = usable(base, organization.words, await ownHosts(ctx, organizationId));
  if (!changeTakesPower({}, own)) return { ...ofInstance, ...own };
  const { changedBy } = organization;
  const isAllowed = await mayOpenAllAccounts(ctx, { organizationId, changedBy });
  return { ...ofInstance, ...(isAllowed ? own : wordsWithoutPower(own)) };
}

function usable(language: BuiltInLanguage, words: StoredWords, own: ReturnType<typeof serviceHosts>): StoredWords {
  const known = wordsOf(language);
  const fine = Object.entries(words).filter(([name, text]) => {
    const word = known.get(name);
    return word !== undefined && !checkWord(word, text, own);
  });
  return Object.fromEntries(fine);
}
