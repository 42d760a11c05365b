// Texts of the console. A language is there once it has a console.ts with the areas it names and its line here; a person
// whose language is missing gets the one he wants next. English is the reference: a missing key in another language is
// a compile error.
import { consoleTexts as ar } from "./ar/console";
import { consoleTexts as bg } from "./bg/console";
import { consoleTexts as cs } from "./cs/console";
import { consoleTexts as de } from "./de/console";
import { consoleTexts as en } from "./en/console";
import { consoleTexts as es } from "./es/console";
import { consoleTexts as fr } from "./fr/console";
import { consoleTexts as hu } from "./hu/console";
import { consoleTexts as id } from "./id/console";
import { consoleTexts as it } from "./it/console";
import { consoleTexts as ja } from "./ja/console";
import { consoleTexts as ko } from "./ko/console";
import { consoleTexts as mk } from "./mk/console";
import { consoleTexts as nl } from "./nl/console";
import { consoleTexts as pl } from "./pl/console";
import { consoleTexts as pt } from "./pt/console";
import { consoleTexts as ro } from "./ro/console";
import { consoleTexts as ru } from "./ru/console";
import { consoleTexts as sv } from "./sv/console";
import { consoleTexts as th } from "./th/console";
import { consoleTexts as tr } from "./tr/console";
import { consoleTexts as uk } from "./uk/console";
import { consoleTexts as zh } from "./zh/console";

export type ConsoleMessages = typeof en;

export const consoleMessages: Readonly<Record<string, ConsoleMessages>> = {
  ar,
  bg,
  cs,
  de,
  en,
  es,
  fr,
  hu,
  id,
  it,
  ja,
  ko,
  mk,
  nl,
  pl,
  pt,
  ro,
  ru,
  sv,
  th,
  tr,
  uk,
  zh,
};
export const consoleLocales: readonly string[] = Object.keys(consoleMessages);
