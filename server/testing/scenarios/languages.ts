/** The language of whoever prefers none. */
import type { Step } from "./step";

export const languageSteps: Step[] = [{ operation: "SetDefaultLanguage", parameters: { language: "de" } }];
