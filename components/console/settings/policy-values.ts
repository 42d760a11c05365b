// Formats the value of a setting in words, for the comparison before saving: "30 days", "On", "None".
import { useFormatter, useTranslations } from "next-intl";
import { formatDuration } from "./format-duration";
import type { PolicyField } from "./policy";
import type { PolicyValue } from "./policy-state";

const FACTOR_NAMES: Readonly<Record<string, string>> = {
  SECOND_FACTOR_TYPE_OTP: "otp",
  SECOND_FACTOR_TYPE_U2F: "u2f",
  SECOND_FACTOR_TYPE_OTP_EMAIL: "otpEmail",
  SECOND_FACTOR_TYPE_OTP_SMS: "otpSms",
};

export const FACTOR_OPTIONS = Object.entries(FACTOR_NAMES).map(([value, name]) => ({ value, name }));

/** Whether the switch of a setting is on. */
export const isOn = ({ isInverted }: PolicyField, value: PolicyValue): boolean =>
  (value === true) !== (isInverted === true);

export function useValueText(): (field: PolicyField, value: PolicyValue) => string {
  const t = useTranslations();
  const format = useFormatter();
  const textOf: Record<PolicyField["kind"], (field: PolicyField, value: PolicyValue) => string> = {
    switch: (field, value) => t(isOn(field, value) ? "settings.on" : "settings.off"),
    number: (_, value) => (value === "" ? "" : format.number(Number(value))),
    duration: ({ min }, value) => {
      if (value === "0s" && min === 0) return t("settings.never");
      return formatDuration(format, String(value));
    },
    factors: (_, value) =>
      format.list((value as string[]).map((type) => t(`directory.by.factor.${FACTOR_NAMES[type]}`))),
    link: (_, value) => String(value),
    email: (_, value) => String(value),
  };
  return (field, value) => textOf[field.kind](field, value) || t("settings.nothing");
}
