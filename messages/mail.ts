// The built-in texts of the messages the service sends, and the few words of the letter around them, in the languages
// of locales.ts. English is the reference: its keys are the type of every other language, so a missing text is a
// compile error.
import ar from "./ar/mail.json";
import bg from "./bg/mail.json";
import cs from "./cs/mail.json";
import de from "./de/mail.json";
import en from "./en/mail.json";
import es from "./es/mail.json";
import fr from "./fr/mail.json";
import hu from "./hu/mail.json";
import id from "./id/mail.json";
import it from "./it/mail.json";
import ja from "./ja/mail.json";
import ko from "./ko/mail.json";
import type { LocaleTag } from "./locales";
import mk from "./mk/mail.json";
import nl from "./nl/mail.json";
import pl from "./pl/mail.json";
import pt from "./pt/mail.json";
import ro from "./ro/mail.json";
import ru from "./ru/mail.json";
import sv from "./sv/mail.json";
import th from "./th/mail.json";
import tr from "./tr/mail.json";
import uk from "./uk/mail.json";
import zh from "./zh/mail.json";

export type MailMessages = typeof en;

/** The letter's own words; `expires` fills in `{{.Expiry}}`, the others nothing. */
export type FrameMessages = MailMessages["frame"];

export const mailMessages = {
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
} satisfies Readonly<Record<LocaleTag, MailMessages>>;
