// The names of a user and their preferred language.
import { useTranslations } from "next-intl";
import { SelectField, TextField } from "../forms/fields";
import { LanguageSelect } from "../forms/language-fields";
import type { HumanProfile } from "./user";

const GENDERS = ["GENDER_UNSPECIFIED", "GENDER_FEMALE", "GENDER_MALE", "GENDER_DIVERSE"] as const;

export function ProfileFields({ profile }: { profile: HumanProfile }) {
  const t = useTranslations();
  return (
    <>
      <TextField name="firstName" label={t("directory.firstName")} value={profile.firstName} required maxLength={200} />
      <TextField name="lastName" label={t("directory.lastName")} value={profile.lastName} required maxLength={200} />
      <TextField name="displayName" label={t("directory.displayName")} value={profile.displayName} maxLength={200} />
      <TextField name="nickName" label={t("directory.nickName")} value={profile.nickName} maxLength={200} />
      <LanguageField name="preferredLanguage" value={profile.preferredLanguage} />
      <SelectField
        name="gender"
        label={t("directory.gender")}
        value={profile.gender ?? GENDERS[0]}
        options={GENDERS.map((value) => ({ value, label: t(`directory.by.gender.${value}`) }))}
      />
    </>
  );
}

export function LanguageField({ name, value = "" }: { name: string; value?: string }) {
  const t = useTranslations();
  return (
    <LanguageSelect
      name={name}
      label={t("directory.language")}
      value={value}
      none={t("directory.organizationLanguage")}
    />
  );
}
