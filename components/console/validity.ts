// What a browser finds wrong with a field, in the language of the page: browsers say it in their own, and only of the first.
import { useTranslations } from "next-intl";
import type { Refusal } from "./refusal";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** @returns undefined if the form may be sent */
export function useValidity(): (form: HTMLFormElement) => Refusal | undefined {
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
  return (form) => {
    const wrong = ([...form.elements] as Control[]).filter(({ validity }) => validity && !validity.valid);
    const problems = wrong.map((control) => ({
      id: "field.invalid",
      message: messageOf(control),
      field: control.name,
      label: labelOf(control),
    }));
    const [first] = problems;
    return first && { ...first, problems };
  };
}

const labelOf = ({ labels }: Control): string | undefined => labels?.[0]?.textContent?.trim() || undefined;
