/** The allowed languages, and the default language. */
import type { Step } from "./step";

export const languageSteps: Step[] = [
  { operation: "ListAllowedLanguages" },
  { operation: "SetDefaultLanguage", parameters: { language: "de" } },
  { operation: "GetDefaultLanguage" },
  { operation: "AddLanguage", parameters: { language: "cy" }, body: { name: "Cymraeg" } },
  { operation: "ListAddedLanguages" },
  { operation: "ListLanguageProgress" },
  { operation: "RemoveLanguage", parameters: { language: "cy" } },
];
