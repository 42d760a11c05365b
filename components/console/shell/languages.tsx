// The language menu of the console: a form that requests the same page again, so that it works without scripts. Every
// language has its own name, marked with its language (WCAG 3.1.2).
import { useLocale, useTranslations } from "next-intl";
import { consoleLocales } from "../../../messages/console";
import { locales } from "../../../messages/locales";
import { Button } from "../parts/button";
import { Folded } from "../parts/folded";

export interface LanguagesProps {
  /** The path of the current page. */
  path: string;
  query: readonly (readonly [name: string, value: string])[];
}

export function Languages({ path, query }: LanguagesProps) {
  const t = useTranslations();
  const current = useLocale();
  const { compare } = new Intl.Collator(current);
  const offered = locales
    .filter(({ tag }) => consoleLocales.includes(tag))
    .sort((one, other) => compare(one.endonym, other.endonym));
  return (
    <Folded
      className="languages"
      summary={
        <>
          <span className="hidden">{t("frame.language")}: </span>
          {offered.find(({ tag }) => tag === current)?.endonym}
        </>
      }
    >
      <form action={path}>
        {query.map(([name, value]) => (
          <input type="hidden" key={name} name={name} value={value} />
        ))}
        {offered.map(({ tag, endonym }) => (
          <Button
            key={tag}
            type="submit"
            label={endonym}
            name="ui_locales"
            value={tag}
            lang={tag}
            aria-current={tag === current ? "true" : undefined}
          />
        ))}
      </form>
    </Folded>
  );
}
