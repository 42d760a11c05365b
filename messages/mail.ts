// The built-in texts of the messages the service sends, and the few words of the letter around them, in the languages
// of locales.ts. English is the reference: its keys are the type of every other language, so a missing text is a
// compile error.
import type en from "./en/mail.json";
import { catalogue } from "./generated/mail";
import type { LocaleTag } from "./locales";

export type MailMessages = typeof en;

/** The letter's own words; `expires` fills in `{{.Expiry}}`, the others nothing. */
export type FrameMessages = MailMessages["frame"];

export const mailMessages = catalogue satisfies Readonly<Record<LocaleTag, MailMessages>>;
