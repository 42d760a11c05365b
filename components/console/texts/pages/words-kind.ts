// How the editor's state reads and writes page texts: all words of one language form one text, independent of the page
// that is shown.
import type { Schemas } from "../../../../server/api/generated/operations";
import type { ExplainedPageText } from "../../../../server/texts/pages/explain-page-texts";
import { addressOf } from "../../../../shared/declared";
import * as operations from "../../../../shared/generated/operations";
import type { Level } from "../../parts/level";
import { levelOfScope, type TextScope } from "../address";
import { ask } from "../ask";
import { asSavedText } from "../message-kind";
import { byLevel } from "../operations";
import type { CustomizedOverview } from "../overview";
import { type WordsAddress, wordsAddress, wordsAddressIn } from "../page-address";
import type { TextKind } from "../text-kind";
import { filledValues, type SavedText, savedOf, type Values } from "../text-state";
import type { WantedPreview } from "../use-rendered-preview";

/** A page text with its levels. The editor itself decides which of them applies. */
export type ExplainedWord = Omit<ExplainedPageText, "layer">;
export type WordsExplanation = Omit<Schemas["LoginTextExplanation"], "words"> & { words: readonly ExplainedWord[] };

export const wordOperationsOn = byLevel({
  explain: [operations.AdminService_ExplainLoginText, operations.ManagementService_ExplainLoginText],
  preview: [operations.AdminService_PreviewLoginText, operations.ManagementService_PreviewLoginText],
  set: [operations.AdminService_SetCustomLoginText, operations.ManagementService_SetCustomLoginText],
  reset: [
    operations.AdminService_ResetCustomLoginTextToDefault,
    operations.ManagementService_ResetCustomLoginTextToDefault,
  ],
  keep: [operations.AdminService_KeepLoginText, operations.ManagementService_KeepLoginText],
  history: [operations.AdminService_ListLoginTextChanges, operations.ManagementService_ListLoginTextChanges],
});

export type WordsOverview = Pick<CustomizedOverview, "languages">;

export function savedWordsOf(
  level: Level,
  { words, language: used, builtInLanguage: builtIn, details }: WordsExplanation,
): SavedText {
  return savedOf(level, Object.fromEntries(words.map((word) => [word.field, word])), { used, builtIn }, details);
}

/** Converts `{"signIn.title": "Welcome"}` to nested groups of keys. */
function groupsOf(values: Values): Record<string, Record<string, string>> {
  const groups: Record<string, Record<string, string>> = {};
  for (const [field, text] of Object.entries(filledValues(values))) {
    const [group = "", key = ""] = field.split(".");
    groups[group] = { ...groups[group], [key]: text ?? "" };
  }
  return groups;
}

/** Returns the body of a preview of the page with these words. */
export const pagePreviewBody = (page: string, values: Values) => ({ page, words: groupsOf(values) });

/** A preview without its page, which a frame requests itself. */
export type PagePreview = Omit<Schemas["LoginTextPreview"], "html">;

/** Returns the preview of a page with the edited words. */
export function pagePreview(
  scope: TextScope,
  { page, language }: WordsAddress,
  values: Values,
): WantedPreview<PagePreview> {
  const { preview } = wordOperationsOn(scope);
  const path = addressOf(preview, { language });
  const body = pagePreviewBody(page, values);
  const send = (signal: AbortSignal) => ask(preview, { at: { language }, body, signal });
  return { of: `${path} ${page}`, path, body: JSON.stringify(body), values, send };
}

export function wordsKind(scope: TextScope): TextKind<WordsAddress, WordsOverview> {
  const { explain, set, reset, keep } = wordOperationsOn(scope);
  const level = levelOfScope(scope);
  return {
    keyOf: ({ language }) => language,
    pathOf: (address) => wordsAddress(scope, address),
    addressIn: (path) => wordsAddressIn(scope, path),
    async read({ language }, signal) {
      return asSavedText(await ask(explain, { at: { language }, signal }), (body) => savedWordsOf(level, body));
    },
    set: ({ language }, values, ifMatch) => ask(set, { at: { language }, body: groupsOf(values), ifMatch }),
    reset: ({ language }, ifMatch) => ask(reset, { at: { language }, ifMatch }),
    keep: ({ language }) => ask(keep, { at: { language } }),
    noted: ({ languages }, { language }, own) => {
      const known = languages.find((one) => one.language === language);
      const before = known ?? { language, organization: [], instance: [] };
      const rest = languages.filter((one) => one.language !== language);
      return { languages: [...rest, { ...before, [level]: Object.keys(own) }] };
    },
  };
}
