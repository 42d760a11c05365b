// The texts of the console. English is the reference: a missing key in another language is a compile error. The names
// of message types are stored with the texts of the messages, so that a type has one place in each language.
import { catalogue } from "./generated/console";
import type { LocaleTag } from "./locales";
import { type MailMessages, mailMessages } from "./mail";

type English = (typeof catalogue)["en"];
type ByType = Readonly<Record<Exclude<keyof MailMessages, "frame">, string>>;

export type ConsoleMessages = Omit<English, "types" | "texts"> & {
  types: English["types"] & ByType;
  texts: Omit<English["texts"], "by"> & { by: English["texts"]["by"] & { about: ByType } };
};

const areas: Readonly<Record<LocaleTag, English>> = catalogue;

export const consoleMessages: Readonly<Record<string, ConsoleMessages>> = Object.fromEntries(
  Object.entries(areas).map(([tag, { types, texts, ...rest }]) => {
    const { frame: _, ...mails } = mailMessages[tag as LocaleTag];
    const ofTypes = (what: "name" | "about") =>
      Object.fromEntries(Object.entries(mails).map(([type, said]) => [type, said[what]])) as ByType;
    return [
      tag,
      {
        ...rest,
        types: { ...ofTypes("name"), ...types },
        texts: { ...texts, by: { ...texts.by, about: ofTypes("about") } },
      },
    ];
  }),
);
export const consoleLocales: readonly string[] = Object.keys(consoleMessages);
