/**
 * Explains why people read the words they read: for every word, what each level says and which of them applies. Uses
 * the same functions as the pages.
 */
import type { Context } from "../../context";
import { checkPrivilegesOverReaders } from "../../directory/member/privileges";
import { type BuiltInLanguage, baseOf, type Language, languagesOf } from "../../directory/policy/languages";
import type { Details } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { listLoginTexts, listOwnLoginTexts } from "../../storage/login-texts";
import { builtInThen } from "../replaced";
import type { TextLayer } from "../resolve";
import { findLoginTextKey, type LoginTextTarget, storedWords } from "./login-text";
import { readWords } from "./resolve";
import { wordsOf } from "./words";

export interface ExplainedWord {
  /** `group.key`. */
  field: string;
  /** Names, as in `{{.AppName}}`. */
  variables: readonly string[];
  builtIn: string;
  /** What each level says, also where it is not used; left out if it says nothing. */
  instance?: string;
  organization?: string;
  /** The level of the word that people read. */
  layer: TextLayer;
  /** The built-in word that the level's own replaced, if that has changed since. */
  builtInThen?: string;
  /** The caller cannot change it: it takes power over its readers, which they lack. */
  takesPower?: true;
}

export interface LoginTextExplanation {
  language: Language;
  /** Of the built-in words: another one for a language that was added. */
  builtInLanguage: BuiltInLanguage;
  words: readonly ExplainedWord[];
  /** The words that each level has changed, in each language in which one has. */
  customized: readonly { language: Language; organization: readonly string[]; instance: readonly string[] }[];
  /** Of the level's own words. */
  details: Details;
}

/** @param readerId who looks, for what they may change */
export async function explainLoginText(
  ctx: Context,
  target: LoginTextTarget,
  readerId: string,
): Promise<LoginTextExplanation | ApiError> {
  const found = await findLoginTextKey(ctx, target);
  if (isApiError(found)) return found;
  const { key } = found;
  const { language } = key;
  const base = await baseOf(ctx, language);
  const organizationId = target.organizationId ?? null;
  const levels = await listLoginTexts(ctx.db, { language, organizationId });
  const [instance, organization] = [levels.instance?.words, levels.organization?.words];
  const [used, usedOfInstance, { details, replaced }] = await Promise.all([
    readWords(ctx, language, target.organizationId),
    readWords(ctx, language, undefined),
    storedWords(ctx, key),
  ]);
  const hasPower = !(await checkPrivilegesOverReaders(ctx, readerId, target.organizationId));
  const words = [...wordsOf(base)].map(([field, { text: builtIn, variables, takesPower }]): ExplainedWord => {
    const own = organization?.[field];
    const layer =
      own && used[field] === own ? "organization" : usedOfInstance[field] ? ("instance" as const) : "built_in";
    const ofLevel = target.organizationId === undefined ? instance?.[field] : own;
    const then = ofLevel ? builtInThen(replaced, field, builtIn) : undefined;
    return {
      field,
      variables: [...variables.keys()],
      builtIn,
      ...(instance?.[field] && { instance: instance[field] }),
      ...(own && { organization: own }),
      layer,
      ...(then !== undefined && { builtInThen: then }),
      ...(takesPower && !hasPower && { takesPower: true as const }),
    };
  });
  return {
    language,
    builtInLanguage: base,
    words,
    customized: await customizedLanguages(ctx, found.instanceId, target.organizationId),
    details,
  };
}

async function customizedLanguages(ctx: Context, instanceId: string, organizationId: string | undefined) {
  const [ofInstance, ofOrganization] = await Promise.all([
    listOwnLoginTexts(ctx.db, instanceId),
    organizationId === undefined ? [] : listOwnLoginTexts(ctx.db, organizationId),
  ]);
  return (await languagesOf(ctx)).flatMap((language) => {
    const namesOf = (rows: typeof ofInstance) =>
      Object.keys(rows.find((row) => row.language === language)?.words ?? {}).filter((name) => wordsOf("en").has(name));
    const levels = { organization: namesOf(ofOrganization), instance: namesOf(ofInstance) };
    return levels.organization.length + levels.instance.length > 0 ? [{ language, ...levels }] : [];
  });
}
