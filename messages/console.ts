// Texts of the console. A language is there once it has a console.ts with the areas it names and its line here; a person
// whose language is missing gets the one he wants next. English is the reference: a missing key in another language is
// a compile error.
import { consoleTexts as de } from "./de/console";
import { consoleTexts as en } from "./en/console";

export type ConsoleMessages = typeof en;

export const consoleMessages: Readonly<Record<string, ConsoleMessages>> = { en, de };
export const consoleLocales: readonly string[] = Object.keys(consoleMessages);
