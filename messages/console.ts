// Texts of the console. English is the reference: a missing key in another language is a compile error.
import { catalogue } from "./generated/console";
import type { LocaleTag } from "./locales";

export type ConsoleMessages = (typeof catalogue)["en"];

export const consoleMessages: Readonly<Record<string, ConsoleMessages>> = catalogue satisfies Record<
  LocaleTag,
  ConsoleMessages
>;
export const consoleLocales: readonly string[] = Object.keys(consoleMessages);
