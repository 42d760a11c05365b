"use client";
// Fields that select languages of the instance, or hold a text in each. They are in their own file because only client
// components know the available languages.
import { useKnownLanguages, useLanguageNames } from "../parts/known-languages";
import { CheckboxGroup, type CheckboxGroupProps, SelectField, type SelectFieldProps, TextField } from "./fields";

const useOptions = () => useKnownLanguages().map(({ tag, endonym }) => ({ value: tag, label: endonym }));

/**
 * A field that selects a language.
 * @param none the label of the option without a language
 */
export function LanguageSelect({ none, ...props }: Omit<SelectFieldProps, "options"> & { none: string }) {
  return <SelectField {...props} options={[{ value: "", label: none }, ...useOptions()]} />;
}

export function LanguageCheckboxes(props: Omit<CheckboxGroupProps, "options">) {
  return <CheckboxGroup {...props} options={useOptions()} />;
}

/** A text in each language; the languages in `seen` are visible at once, before the others. */
export function TextsByLanguage({
  name,
  texts,
  seen,
  others,
}: {
  name: string;
  texts: Readonly<Record<string, string>>;
  seen: readonly string[];
  /** The label of the other languages. */
  others: string;
}) {
  const known = useKnownLanguages();
  const { endonymOf } = useLanguageNames();
  const tags = [...new Set([...seen, ...Object.keys(texts), ...known.map(({ tag }) => tag)])];
  const isSeen = (tag: string) => seen.includes(tag) || Object.hasOwn(texts, tag);
  const field = (tag: string) => {
    const field = { name: `${name}.${tag}`, label: endonymOf(tag), labelLanguage: tag };
    return <TextField key={tag} {...field} value={texts[tag]} maxLength={200} dir="auto" />;
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
