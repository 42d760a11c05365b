// Takes the page's language as it is for the messages with variables. intl-messageformat would ask the browser which
// languages it supports, for which the browser reads the rules of all of them: 30 ms of each page.
import { IntlMessageFormat } from "intl-messageformat";

IntlMessageFormat.resolveLocale = (tags) => new Intl.Locale(typeof tags === "string" ? tags : (tags[0] ?? "en"));
