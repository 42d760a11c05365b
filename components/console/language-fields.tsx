"use client";
// Fields in which languages of the instance are chosen, or a text is written in each. They are a file of their own, as only
// client components know which languages there are.
import { CheckboxGroup, type CheckboxGroupProps, SelectField, type SelectFieldProps, TextField } from "./fields";
import { useKnownLanguages, useLanguageNames } from "./known-languages";

const useOptions = () => useKnownLanguages().map(({ tag, endonym }) => ({ value: tag, label: endonym }));

/** @param none what is chosen without a language */
export function LanguageSelect({ none, ...props }: Omit<SelectFieldProps, "options"> & { none: string }) {
  return <SelectField {...props} options={[{ value: "", label: none }, ...useOptions()]} />;
}

export function LanguageCheckboxes(props: Omit<CheckboxGroupProps, "options">) {
  return <CheckboxGroup {...props} options={useOptions()} />;
}

/** A text in each language; those that are seen at once stand before the others. */
export function TextsByLanguage({
  name,
  texts,
  seen,
  others,
}: {
  name: string;
  texts: Readonly<Record<string, string>>;
  seen: readonly string[];
  /** What the others are called. */
  others: string;
}) {
  const known = useKnownLanguages();
  const { endonymOf } = useLanguageNames();
  const tags = [...new Set([...seen, ...Object.keys(texts), ...known.map(({ tag }) => tag)])];
  const isSeen = (tag: string) => seen.includes(tag) || Object.hasOwn(texts, tag);
  const field = (tag: string) => {
    const label = <span lang={tag}>{endonymOf(tag)}</span>;
    return <TextField key={tag} name={`${name}.${tag}`} label={label} value={texts[tag]} maxLength={200} dir="auto" />;
  };
  return (
    <>
      {tags.filter(isSeen).map(field)}
      <details>
        <summary>{others}</summary>
        {tags.filter((tag) => !isSeen(tag)).map(field)}
      </details>
    </>
  );
}
