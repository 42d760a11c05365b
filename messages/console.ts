// Texts of the console. A language is there once it has a console.json and its line here; a person whose language is
// missing gets the one he wants next. English is the reference: a missing key in another language is a compile error.
import de from "./de/console.json";
import en from "./en/console.json";

export type ConsoleMessages = typeof en;

export const consoleMessages: Readonly<Record<string, ConsoleMessages>> = { en, de };
export const consoleLocales: readonly string[] = Object.keys(consoleMessages);
