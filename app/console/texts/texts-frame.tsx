// The frame around both text editors: the link to the other one, and the owner of the texts.
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { TextKinds } from "../../../components/console/texts/kinds";
import { Name } from "../../../components/ui/user-text";
import type { PageContext } from "../page-of";
import { withHistory } from "../with-history";

export type TextsLevel = "organization" | "instance";

const WORDING = {
  messages: {
    title: { organization: "pages.texts", instance: "pages.instance_texts" },
    organization: "texts.lead.organization",
    instance: "texts.lead.instance",
  },
  pages: {
    title: { organization: "pages.words", instance: "pages.instance_words" },
    organization: "texts.wordsLead.organization",
    instance: "texts.wordsLead.instance",
  },
} as const;

/**
 * Renders the frame.
 * @param kind which texts are edited
 */
export async function textsFrame(
  kind: "messages" | "pages",
  level: TextsLevel,
  context: PageContext,
  editor: ReactNode,
) {
  const { organization } = context;
  const t = await getTranslations();
  const wording = WORDING[kind];
  return withHistory(
    context,
    { type: "texts" },
    <>
      <div className="texts-head">
        <TextKinds scope={{ organizationId: ownerAt(level, context) }} current={kind} />
        <h1>{t(wording.title[level])}</h1>
        <p className="lead">
          {level === "organization" ? (
            <>
              <Name>{organization.name}</Name> · {t(wording.organization)}
            </>
          ) : (
            t(wording.instance)
          )}
        </p>
      </div>
      {editor}
    </>,
    level,
  );
}

/** Returns the organization whose texts are edited; undefined for the instance. */
export const ownerAt = (level: TextsLevel, { organization }: PageContext): string | undefined =>
  level === "organization" ? organization.id : undefined;

/** Returns whether the visitor may change texts at that level, or propose changes. */
export const mayWriteTexts = (level: TextsLevel, { viewer, organization }: PageContext): boolean =>
  level === "organization" ? organization.permissions.has("text.propose") : viewer.permissions.has("iam.policy.write");

/** Returns the languages in which the visitor may do so; undefined for all. */
export const textLanguages = (level: TextsLevel, { organization }: PageContext): readonly string[] | undefined =>
  level === "organization" ? organization.textLanguages : undefined;

/** Returns the language in which an editor opens: that of the page, unless the visitor writes only in others. */
export async function firstLanguage(level: TextsLevel, context: PageContext): Promise<string> {
  const [locale, own] = [await getLocale(), textLanguages(level, context)];
  return own && !own.includes(locale) ? (own[0] ?? locale) : locale;
}
