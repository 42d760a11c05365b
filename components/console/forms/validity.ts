// The browser's validation errors of a form, in the language of the page: browsers use their own language and only
// report the first error.
import { useTranslations } from "next-intl";
import type { Refusal } from "../../../shared/refusal";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Returns a function that validates a form.
 * @param labelOf returns the label of the field with a name
 * @returns a function whose result is undefined if the form may be sent
 */
export function useValidity(
  labelOf: (name: string) => string | undefined,
): (form: HTMLFormElement) => Refusal | undefined {
  const t = useTranslations();
  const messageOf = (control: Control): string => {
    const { validity, type } = control;
    const { min, max } = control as HTMLInputElement;
    if (validity.valueMissing) return t("frame.fieldMissing");
    if (validity.badInput) return t("frame.fieldNumber");
    if (validity.rangeUnderflow) return t("frame.fieldMin", { min });
    if (validity.rangeOverflow) return t("frame.fieldMax", { max });
    if (validity.stepMismatch) return t("frame.fieldWhole");
    if (type === "email") return t("frame.fieldEmail");
    if (type === "url") return t("frame.fieldUrl");
    return control.title || control.validationMessage;
  };
  const nameOf = ({ name, dataset }: Control) => name || (dataset.field ?? "");
  /** A field of a group, such as `servers[1].issuer`, has its own label, too. */
  const fullLabel = (control: Control): string | undefined => {
    const name = nameOf(control);
    const own = name.includes("].") ? control.labels?.[0]?.textContent : undefined;
    return [labelOf(name), own].filter(Boolean).join(" · ") || undefined;
  };
  return (form) => {
    const wrong = ([...form.elements] as Control[]).filter(({ validity }) => validity && !validity.valid);
    const problems = wrong.map((control) => ({
      id: "field.invalid",
      message: messageOf(control),
      field: nameOf(control),
      label: fullLabel(control),
    }));
    const [first] = problems;
    return first && { ...first, problems };
  };
}
