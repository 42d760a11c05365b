// The language menu in the footer: a form that requests the same page again, so that it works without JavaScript, and
// contains the sealed flow once and not once per language. Every language has its own name, marked with its language
// (WCAG 3.1.2).
import { type LocaleEntry, locales } from "../../messages/locales";
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";

/** The page's own address, split for a form that is sent by GET. */
export interface LanguageForm {
  /** Path on this host. */
  action: string;
  /** The query without `ui_locales`, which the pressed button adds. */
  fields: Readonly<Record<string, string>>;
  /** The languages that may be chosen; defaults to all. */
  offered?: readonly Pick<LocaleEntry, "tag" | "endonym">[];
}

export function LanguageSwitch({
  t,
  locale,
  action,
  fields,
  offered = locales,
}: LanguageForm & { t: LoginTranslator; locale: string }) {
  if (offered.length < 2) return null;
  return (
    <details className="languages">
      <summary>
        <Globe />
        <span className="hidden">{t("common.language")}: </span>
        <bdi>{[...offered, ...locales].find(({ tag }) => tag === locale)?.endonym ?? locale}</bdi>
      </summary>
      <form action={action}>
        <HiddenFields values={fields} />
        {offered.map(({ tag, endonym }) => (
          <button
            type="submit"
            key={tag}
            name="ui_locales"
            value={tag}
            lang={tag}
            aria-current={tag === locale ? "true" : undefined}
          >
            <bdi>{endonym}</bdi>
          </button>
        ))}
      </form>
    </details>
  );
}

/** An icon for users who cannot read the language of the page. */
function Globe() {
  return (
    <svg className="globe" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d="M10 2a8 8 0 0 0 0 16 8 8 0 0 0 0-16q-7 8 0 16 7-8 0-16M2 10h16" fill="none" stroke="currentColor" />
    </svg>
  );
}
