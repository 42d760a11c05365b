// The page of the page text editor, at both levels. It reads the initial data.
import { notFound } from "next/navigation";
import { draftOperationsOn } from "../../../components/console/texts/approval/operations";
import { parseWordsAddress, wordsAddress } from "../../../components/console/texts/page-address";
import { WordsEditor } from "../../../components/console/texts/pages/words-editor";
import { pagePreviewBody, savedWordsOf, wordOperationsOn } from "../../../components/console/texts/pages/words-kind";
import { locales } from "../../../messages/locales";
import type { PageContext } from "../page-of";
import { firstLanguage, mayWriteTexts, ownerAt, type TextsLevel, textLanguages, textsFrame } from "./texts-frame";

/** The page that is shown if the address names none. */
const FIRST = "sign-in";

/**
 * Renders the editor.
 * @param level whether to edit the words of the organization in the address or of the instance
 */
export async function wordsPage(level: TextsLevel, context: PageContext) {
  const { viewer, organization, params } = context;
  const organizationId = ownerAt(level, context);
  const scope = { organizationId };
  const address =
    "page" in params
      ? parseWordsAddress(params.page, params.language)
      : (parseWordsAddress(FIRST, await firstLanguage(level, context)) ?? parseWordsAddress(FIRST, "en"));
  if (!address) notFound();
  const { explain, preview: previewOf } = wordOperationsOn(scope);
  const { language, page } = address;
  const [explanation, drafts] = await Promise.all([
    viewer.call(explain, { at: { language } }),
    viewer.call(draftOperationsOn(scope).list),
  ]);
  if (!explanation.ok || !drafts.ok) notFound();
  const body = pagePreviewBody(page, savedWordsOf(level, explanation.body).own);
  const preview = await viewer.call(previewOf, { at: { language }, body });
  if (!preview.ok) notFound();
  const { html: _, ...shown } = preview.body;
  const words = explanation.body.words.map(({ layer: _, ...word }) => word);
  return textsFrame(
    "pages",
    level,
    context,
    <WordsEditor
      key={wordsAddress(scope, address)}
      organizationId={organizationId}
      organizationName={level === "organization" ? organization.name : undefined}
      userId={viewer.user.userId}
      mayWrite={mayWriteTexts(level, context)}
      ownLanguages={textLanguages(level, context)}
      languages={locales.map(({ tag }) => tag)}
      initial={{ address, explanation: { ...explanation.body, words }, preview: shown, drafts: drafts.body.result }}
    />,
  );
}
