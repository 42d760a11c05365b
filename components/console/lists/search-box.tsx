// The search form of a list. It uses GET, so that it works without scripts and each search has an address.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export interface SearchBoxProps {
  /** The address of the list without its query. */
  path: string;
  /** The current search. */
  value: string | undefined;
  label: string;
  /** Other parameters to keep in the query. */
  query?: Readonly<Record<string, string | undefined>>;
  /** Further named controls, such as filters; see FilterSelect. */
  children?: ReactNode;
}

export function SearchBox({ path, value, label, query = {}, children }: SearchBoxProps) {
  const t = useTranslations();
  return (
    <search>
      <form action={path} className="search-box">
        {Object.entries(query).map(
          ([name, kept]) => kept && <input type="hidden" key={name} name={name} value={kept} />,
        )}
        <div className="field">
          <label htmlFor="search">{label}</label>
          <input type="search" id="search" name="q" defaultValue={value} autoComplete="off" spellCheck={false} />
        </div>
        {children}
        <button type="submit">{t("frame.search")}</button>
      </form>
    </search>
  );
}

export interface FilterSelectProps {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
}

/** A filter with a few values; the first option, with an empty value, means all. */
export function FilterSelect({ name, label, value = "", options }: FilterSelectProps) {
  return (
    <div className="field">
      <label htmlFor={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name} defaultValue={value}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
