/**
 * Languages that the bootstrap file adds or uses: a file must name every language that it uses and that is not built
 * in, so that it can be checked without a database. A language that a later release has built in is not a mistake.
 */
import { addLanguagesIn } from "../directory/policy/added-languages";
import { BUILT_IN_LANGUAGES, isBuiltIn, type Language } from "../directory/policy/languages";
import { readLanguageRules } from "../directory/policy/restrictions";
import { reason } from "../protocol/reason";
import { type Mistake, orFail } from "./mistakes";
import type { Run } from "./run";
import type { BootstrapFile } from "./schema";

/** Returns the languages in the file that are neither built in nor added by it, with their paths. */
export function findUnknownLanguages({ instance = {}, organizations = [] }: BootstrapFile): Mistake[] {
  const declared = (instance.languages ?? []).map(({ tag }) => tag);
  const known = [...BUILT_IN_LANGUAGES, ...declared.filter((tag) => !isBuiltIn(tag))];
  const values = known.join(", ");
  const unknown = (language: Language | undefined, path: string): Mistake[] =>
    language === undefined || known.some((tag) => tag === language)
      ? []
      : [{ path, reason: reason("one_of", { values }) }];
  const of = (owner: Pick<typeof instance, "defaultLanguage" | "messageTexts" | "loginTexts">, path: string) => [
    ...unknown(owner.defaultLanguage, `${path}.defaultLanguage`),
    ...(["messageTexts", "loginTexts"] as const).flatMap((name) =>
      (owner[name] ?? []).flatMap(({ language }, index) => unknown(language, `${path}.${name}[${index}].language`)),
    ),
  ];
  return [
    ...of(instance, "instance"),
    ...organizations.flatMap((organization, index) => of(organization, `organizations[${index}]`)),
  ];
}

/** Applies the languages, before anything that uses them. Languages that the file omits remain. */
export async function applyLanguages(
  run: Run,
  languages: NonNullable<NonNullable<BootstrapFile["instance"]>["languages"]>,
): Promise<void> {
  const { ctx, instance, report } = run;
  const wanted = languages.filter(({ tag }) => !isBuiltIn(tag));
  if (wanted.length === 0) return;
  const before = (await readLanguageRules(ctx.tx, instance.id)).addedLanguages;
  orFail(await addLanguagesIn(ctx, wanted), "instance.languages", {
    language: "instance.languages",
  });
  const isNew = ({ tag }: { tag: string }) => !before.some((known) => known.tag === tag);
  report.created.push(...wanted.filter(isNew).map(({ tag }) => `language ${tag}`));
  const isRenamed = ({ tag, name }: { tag: string; name: string }) =>
    before.some((known) => known.tag === tag && known.name !== name);
  report.updated.push(...wanted.filter(isRenamed).map(({ tag }) => `language ${tag}`));
}
