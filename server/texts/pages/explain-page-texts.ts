/**
 * Explains how the page texts in force were chosen: for each one, the text of every level and which of them applies.
 * Uses the same functions as the pages.
 */
import type { Context } from "../../context";
import { mayChangeProtected } from "../../directory/member/privileges";
import { type BuiltInLanguage, baseOf, type Language, languagesOf } from "../../directory/policy/languages";
import type { Details } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { listLoginTexts, listOwnLoginTexts } from "../../storage/text/login-texts";
import { builtInThen } from "../replaced";
import type { TextLayer } from "../resolve";
import type { LoginTextTarget } from "../text-owner";
import { findLoginTextKey, findOwnPageTexts } from "./level-page-texts";
import { pageTextsOf } from "./page-texts";
import { readPageTexts } from "./resolve-page-texts";

export interface ExplainedPageText {
  /** `group.key`. */
  field: string;
  /** Variable names, as in `{{.AppName}}`. */
  variables: readonly string[];
  builtIn: string;
  /** The text of every level, also if it is not used; omitted if the level has none. */
  instance?: string;
  organization?: string;
  /** The level of the text in force. */
  layer: TextLayer;
  /** The built-in text that the level's own replaced, if it has changed since. */
  builtInThen?: string;
  /** The caller cannot change it: this requires power over its readers, which the caller lacks. */
  takesPower?: true;
}

export interface LoginTextExplanation {
  language: Language;
  /** The language of the built-in texts, which differs for an added language. */
  builtInLanguage: BuiltInLanguage;
  words: readonly ExplainedPageText[];
  /** The texts that each level has changed, for each language with changes. */
  customized: readonly { language: Language; organization: readonly string[]; instance: readonly string[] }[];
  /** The details of the level's own texts. */
  details: Details;
}

/** Explains all texts of a language. @param readerId the user whose permissions decide what may be changed */
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
    readPageTexts(ctx, language, target.organizationId),
    readPageTexts(ctx, language, undefined),
    findOwnPageTexts(ctx, key),
  ]);
  const hasPower = await mayChangeProtected(ctx, readerId, target.organizationId);
  const words = [...pageTextsOf(base)].map(([field, { text: builtIn, variables, takesPower }]): ExplainedPageText => {
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
      Object.keys(rows.find((row) => row.language === language)?.words ?? {}).filter((name) =>
        pageTextsOf("en").has(name),
      );
    const levels = { organization: namesOf(ofOrganization), instance: namesOf(ofInstance) };
    return levels.organization.length + levels.instance.length > 0 ? [{ language, ...levels }] : [];
  });
}
