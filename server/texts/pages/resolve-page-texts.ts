/**
 * Resolves the texts in force on a page, text by text: the organization's, else the instance's, else the built-in ones.
 * Cached like the other page settings, so that a page view needs no query.
 */
import type { ChangedWords } from "../../../messages/login";
import type { Context } from "../../context";
import { fingerprint } from "../../crypto/digest";
import { createCache } from "../../directory/cache";
import { findInstance } from "../../directory/instance";
import { mayOpenAllAccounts } from "../../directory/member/privileges";
import { type BuiltInLanguage, baseOf, type Language } from "../../directory/policy/languages";
import { PEOPLE } from "../../events/announced";
import { listLoginTexts, loginTextId, type StoredWords } from "../../storage/text/login-texts";
import { ownHosts, serviceHosts } from "../own-hosts";
import { checkPageText, toMessage } from "./check-page-text";
import { changeTakesPower, pageTextsOf, pageTextsWithoutPower } from "./page-texts";

interface PageWords {
  words: ChangedWords | undefined;
  /** The rows they are made of, and people where who they are decides. */
  of: readonly string[];
}

const pageWords = createCache<PageWords>("pageWords", (_, { of }) => of);

/** Returns undefined if all texts are built-in ones. @param organizationId undefined: the instance's texts */
export async function findPageTexts(
  ctx: Context,
  language: Language,
  organizationId: string | undefined,
): Promise<ChangedWords | undefined> {
  const found = await pageWords.get(ctx, `${language}/${organizationId ?? ""}`, async () => {
    const { id } = await findInstance(ctx);
    const read = await readInForce(ctx, language, organizationId);
    const owners = organizationId === undefined ? [id] : [id, organizationId];
    const of = owners.map((ownerId) => loginTextId({ ownerId, language }));
    if (read.dependsOnPeople) of.push(PEOPLE);
    const words = Object.entries(read.words);
    if (words.length === 0) return { words: undefined, of };
    const base = await baseOf(ctx, language);
    const known = pageTextsOf(base);
    const messages = Object.fromEntries(
      words.flatMap(([name, text]) => {
        const word = known.get(name);
        return word ? [[word.path, toMessage(word, text)] as const] : [];
      }),
    );
    return { words: { version: fingerprint(JSON.stringify([language, base, messages])), messages }, of };
  });
  return found?.words;
}

/**
 * Reads the changed texts in force, by `group.key`, from the database. Texts that are no longer permitted are omitted:
 * their domain was lost, their variable was removed, or they take power over their readers and a user of the
 * organization now has more permissions than their author, as with message texts (usable.ts).
 */
export async function readPageTexts(
  ctx: Context,
  language: Language,
  organizationId: string | undefined,
): Promise<StoredWords> {
  return (await readInForce(ctx, language, organizationId)).words;
}

async function readInForce(
  ctx: Context,
  language: Language,
  organizationId: string | undefined,
): Promise<{ words: StoredWords; dependsOnPeople: boolean }> {
  const levels = await listLoginTexts(ctx.db, { language, organizationId: organizationId ?? null });
  const { instance, organization } = levels;
  const base = await baseOf(ctx, language);
  const ofInstance = usable(base, instance?.words ?? {}, serviceHosts(ctx));
  if (!organization || organizationId === undefined) return { words: ofInstance, dependsOnPeople: false };
  const own = usable(base, organization.words, await ownHosts(ctx, organizationId));
  if (!changeTakesPower({}, own)) return { words: { ...ofInstance, ...own }, dependsOnPeople: false };
  const { changedBy } = organization;
  const isAllowed = await mayOpenAllAccounts(ctx, { organizationId, changedBy });
  return { words: { ...ofInstance, ...(isAllowed ? own : pageTextsWithoutPower(own)) }, dependsOnPeople: true };
}

function usable(language: BuiltInLanguage, words: StoredWords, own: ReturnType<typeof serviceHosts>): StoredWords {
  const known = pageTextsOf(language);
  const fine = Object.entries(words).filter(([name, text]) => {
    const word = known.get(name);
    return word !== undefined && !checkPageText(word, text, own);
  });
  return Object.fromEntries(fine);
}
