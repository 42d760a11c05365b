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
}

export function LanguageSwitch({ t, locale, action, fields }: LanguageForm & { t: LoginTranslator; locale: string }) {
  return (
    <details className="languages">
      <summary>
        <Globe />
        <span className="hidden">{t("common.language")}: </span>
        {locales.find(({ tag }) => tag === locale)?.endonym}
      </summary>
      <form action={action}>
        <HiddenFields values={fields} />
        {locales.map(({ tag, endonym }) => (
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
    <svg className="globe" width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M9 1a8 8 0 1 0 0 16A8 8 0 0 0 9 1q-7 8 0 16q7-8 0-16M1.5 6.5h15m0 5h-15" />
    </svg>
  );
}
