// The languages of the page behind one line of the footer: a form that asks for the same page again, so it works without
// JavaScript and the sealed flow stands in the page once, not once per language. One press chooses; every name is in its
// own language and says so (WCAG 3.1.2).
import { locales } from "../../messages/locales";
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";

/** The page's own address, taken apart for a form that is sent by GET. */
export interface LanguageForm {
  /** Path on this host. */
  action: string;
  /** The query but `ui_locales`, which the pressed button adds. */
  fields: Readonly<Record<string, string>>;
  /** The languages that may be chosen; all there are where it is left out. */
  offered?: readonly string[];
}

export function LanguageSwitch({
  t,
  locale,
  action,
  fields,
  offered,
}: LanguageForm & { t: LoginTranslator; locale: string }) {
  const choices = locales.filter(({ tag }) => !offered || offered.includes(tag));
  if (choices.length < 2) return null;
  return (
    <details className="languages">
      <summary>
        <Globe />
        <span className="hidden">{t("common.language")}: </span>
        {locales.find(({ tag }) => tag === locale)?.endonym}
      </summary>
      <form action={action}>
        <HiddenFields values={fields} />
        {choices.map(({ tag, endonym }) => (
          <button
            type="submit"
            key={tag}
            name="ui_locales"
            value={tag}
            lang={tag}
            aria-current={tag === locale ? "true" : undefined}
          >
            {endonym}
          </button>
        ))}
      </form>
    </details>
  );
}

/** For whoever cannot read the language the page is in. */
function Globe() {
  return (
    <svg className="globe" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d="M10 2a8 8 0 0 0 0 16 8 8 0 0 0 0-16q-7 8 0 16 7-8 0-16M2 10h16" fill="none" stroke="currentColor" />
    </svg>
  );
}
