/**
 * Adds and removes languages that are not built in. The texts of an added language are written like those of every
 * other language. They stay stored when the language is removed and are available again when it is added again, so
 * removing the wrong one loses nothing. Users who prefer a removed language, and queued mails in it, fall back as for
 * any unknown language. The audit trail records a change of the restrictions. Rule TEXT-13.
 */
import type { ChangeContext, Details, OriginContext } from "../../events/record";
import { type ApiError, failedPrecondition, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import { canonicalLocale } from "../../protocol/ui-locales";
import { lockInstanceRow } from "../../storage/instance/instance";
import { readPolicy } from "../../storage/policy/policy";
import { changeDirectory } from "../change";
import { isBuiltIn } from "./languages";
import { type PolicySettings, setPolicy } from "./policies";
import { resolvePolicy } from "./resolve-policy";

/** Limited because pages list every language by name. */
export const MAX_ADDED_LANGUAGES = 20;

/** Characters. */
export const MAX_LANGUAGE_NAME = 60;

export interface WantedLanguage {
  /** A BCP 47 tag, not canonicalized. */
  tag: string;
  /** The language's name in itself; undefined for the stored name or that of Unicode. */
  name?: string;
}

type Added = PolicySettings<"restrictions">["addedLanguages"];

/**
 * Tags of ISO 639 that Intl has a name for but that are not a language: "multiple languages", "no linguistic content".
 */
const NO_LANGUAGE: ReadonlySet<string> = new Set(["mul", "und", "zxx"]);

/**
 * Returns the canonical form of a tag that names only a language. A text for `cy-GB` would not be found for `cy`, and a
 * tag without a name is probably a typing error.
 */
export function canonicalBaseLanguage(tag: string): string | ApiError {
  const canonical = canonicalLocale(tag);
  const isNamed =
    canonical !== undefined &&
    /^[a-z]{2,3}$/.test(canonical) &&
    !NO_LANGUAGE.has(canonical) &&
    new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(canonical) !== undefined;
  if (isNamed) return canonical;
  return invalidArgument("language.malformed", "Enter the tag of a language without a script or region, such as cy.", {
    field: "language",
    reason: reason("base_language"),
  });
}

/** Returns the language's name in itself; in English if Unicode has none. */
export const ownNameOf = (tag: string): string =>
  new Intl.DisplayNames([tag, "en"], { type: "language" }).of(tag) ?? tag;

/** Returns a language that can be added, with its name; otherwise an error. */
export function parseAddedLanguage({ tag, name }: WantedLanguage): Added[number] | ApiError {
  const canonical = canonicalBaseLanguage(tag);
  if (isApiError(canonical)) return canonical;
  if (isBuiltIn(canonical)) {
    return failedPrecondition("language.built_in", `${canonical} is built in.`, { field: "language" });
  }
  return { tag: canonical, name: name ?? ownNameOf(canonical) };
}

/** Adds a language, or changes the name of an existing one. */
export async function addLanguage(ctx: OriginContext, wanted: WantedLanguage): Promise<Details | ApiError> {
  const parsed = parseAddedLanguage(wanted);
  if (isApiError(parsed)) return parsed;
  return changeDirectory(ctx, (ctx) =>
    changeAdded(ctx, ({ addedLanguages }) => {
      const known = addedLanguages.find(({ tag }) => tag === parsed.tag);
      const entry = known && wanted.name === undefined ? known : parsed;
      return withLanguage(addedLanguages, entry);
    }),
  );
}

/** Returns the list with the language, in the order of the tags; an error if there are too many. */
function withLanguage(languages: Added, entry: Added[number]): { addedLanguages: Added } | ApiError {
  const others = languages.filter(({ tag }) => tag !== entry.tag);
  if (others.length >= MAX_ADDED_LANGUAGES) {
    const message = `There are ${MAX_ADDED_LANGUAGES} added languages already: remove one first.`;
    return failedPrecondition("language.too_many", message, { field: "language", limit: MAX_ADDED_LANGUAGES });
  }
  return { addedLanguages: [...others, entry].sort((a, b) => (a.tag < b.tag ? -1 : 1)) };
}

/** Adds several languages within the caller's transaction, as declared in a file; other languages are kept. */
export async function addLanguagesIn(
  ctx: ChangeContext,
  wanted: readonly Added[number][],
): Promise<Details | ApiError> {
  return changeAdded(ctx, ({ addedLanguages }) => {
    let languages: { addedLanguages: Added } | ApiError = { addedLanguages };
    for (const entry of wanted) {
      languages = withLanguage(languages.addedLanguages, entry);
      if (isApiError(languages)) return languages;
    }
    return languages;
  });
}

/**
 * Removes a language; the default language cannot be removed.
 * @param tag in any letter case
 */
export async function removeLanguage(ctx: OriginContext, tag: string): Promise<Details | ApiError> {
  const wanted = tag.toLowerCase();
  if (isBuiltIn(wanted)) {
    return failedPrecondition("language.built_in", `${wanted} is built in.`, { field: "language" });
  }
  return changeDirectory(ctx, (ctx) =>
    changeAdded(ctx, ({ addedLanguages, allowedLanguages }, defaultLanguage) => {
      if (!addedLanguages.some((language) => language.tag === wanted)) {
        return notFound("language.not_found", "This language does not exist here. Add it first.", {
          field: "language",
        });
      }
      if (defaultLanguage === wanted) {
        const message = `${wanted} is the default language: make another one the default first.`;
        return failedPrecondition("language.is_default", message, { field: "language" });
      }
      return {
        addedLanguages: addedLanguages.filter((language) => language.tag !== wanted),
        // The allowed languages include the default one, so the list does not become empty, which would allow all.
        ...(allowedLanguages.includes(wanted) && {
          allowedLanguages: allowedLanguages.filter((language) => language !== wanted),
        }),
      };
    }),
  );
}

type Restrictions = PolicySettings<"restrictions">;

async function changeAdded(
  ctx: ChangeContext,
  change: (now: Restrictions, defaultLanguage: string) => Partial<Restrictions> | ApiError,
): Promise<Details | ApiError> {
  // Locked, so that the default language does not change meanwhile.
  const instance = await lockInstanceRow(ctx.db, ctx.tx);
  if (!instance) throw new Error("the database has no instance yet");
  const stored = (await readPolicy(ctx.tx, instance.id, "restrictions")) ?? {};
  const wanted = change(resolvePolicy("restrictions", [stored]), instance.defaultLanguage);
  if (isApiError(wanted)) return wanted;
  return setPolicy(ctx, instance.id, "restrictions", { ...stored, ...wanted });
}
