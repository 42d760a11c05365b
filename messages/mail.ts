// The built-in texts of the messages that the service sends, and the few texts of the frame around them, in the
// languages of locales.ts. English is the reference: its keys are the type of every other language, so a missing text
// is a compile error.
import type en from "./en/mail.json";
import { catalogue } from "./generated/mail";
import type { LocaleTag } from "./locales";

export type MailMessages = typeof en;

/**
 * The texts of the frame; `expires` fills in `{{.Expiry}}`, `resetCode` `{{.Code}}`, `onlyHere` `{{.Host}}`, the
 * others nothing.
 */
export type FrameMessages = MailMessages["frame"];

export const mailMessages = catalogue satisfies Readonly<Record<LocaleTag, MailMessages>>;
