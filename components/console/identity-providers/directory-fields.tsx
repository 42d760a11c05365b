// The fields of an LDAP directory, and the button that tries them before they are saved.
import { useTranslations } from "next-intl";
import { LongTextField, SwitchField, TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { DirectoryTest } from "./directory-test";
import type { ProviderOwnerLevel, SignInProviderSettings } from "./provider-operations";

export interface DirectoryFieldsProps {
  level: ProviderOwnerLevel;
  settings: SignInProviderSettings;
  /** The directory that is changed; undefined for a new one. */
  id?: string;
}

const ATTRIBUTES = [
  ["idAttribute", "entryUUID"],
  ["emailAttribute", "mail"],
  ["firstNameAttribute", "givenName"],
  ["lastNameAttribute", "sn"],
  ["displayNameAttribute", "displayName"],
  ["preferredUsernameAttribute", "uid"],
  ["preferredLanguageAttribute", "preferredLanguage"],
  ["emailVerifiedAttribute", ""],
] as const;

export function DirectoryFields({ level, settings, id }: DirectoryFieldsProps) {
  const t = useTranslations();
  const isNew = id === undefined;
  const usual = (text: string) => (isNew ? text : "");
  return (
    <>
      <LongTextField
        name="servers"
        {...withHint(t, "settings.ldapServers")}
        value={settings.servers?.join("\n")}
        as="lines"
        rows={2}
        required
      />
      <SwitchField name="startTls" {...withHint(t, "settings.ldapStartTls")} isOn={settings.startTls} />
      <LongTextField
        name="rootCa"
        {...withHint(t, "settings.ldapRootCa")}
        value={settings.rootCa}
        maxLength={50_000}
        className="code"
        dir="ltr"
      />
      <TextField
        name="bindDn"
        {...withHint(t, "settings.ldapBindDn")}
        value={settings.bindDn}
        required
        maxLength={1000}
      />
      <TextField
        name="bindPassword"
        label={t("settings.ldapBindPassword")}
        hint={!isNew && t("settings.idpSecretKept")}
        type="password"
        autoComplete="new-password"
        maxLength={1000}
      />
      <TextField
        name="baseDn"
        {...withHint(t, "settings.ldapBaseDn")}
        value={settings.baseDn}
        required
        maxLength={1000}
      />
      <TextField
        name="userFilters"
        {...withHint(t, "settings.ldapUserFilters")}
        value={settings.userFilters?.join(" ") ?? "uid mail"}
        as="words"
        required
      />
      <TextField
        name="userObjectClasses"
        {...withHint(t, "settings.ldapUserObjectClasses")}
        value={settings.userObjectClasses?.join(" ") ?? usual("inetOrgPerson")}
        as="words"
      />
      <fieldset className="plain-fieldset">
        <legend>{t("settings.ldapAttributes")}</legend>
        {ATTRIBUTES.map(([name, example]) => (
          <TextField
            key={name}
            name={`attributes.${name}`}
            label={t(`settings.by.ldapAttribute.${name}`)}
            hint={name === "idAttribute" && t("settings.ldapIdAttributeHint")}
            value={settings.attributes?.[name] ?? usual(example)}
            required={name === "idAttribute"}
            maxLength={100}
          />
        ))}
        <SwitchField
          name="emailVerified"
          label={t("settings.idpEmailVerified")}
          hint={t("settings.ldapEmailVerifiedHint")}
          isOn={settings.emailVerified}
        />
      </fieldset>
      <DirectoryTest level={level} id={id} />
    </>
  );
}

/** The fields that are rarely changed. */
export function DirectoryAdvancedFields({ settings }: Pick<DirectoryFieldsProps, "settings">) {
  const t = useTranslations();
  return (
    <>
      <TextField name="userBase" {...withHint(t, "settings.ldapUserBase")} value={settings.userBase} maxLength={100} />
      <TextField
        name="timeout"
        {...withHint(t, "settings.ldapTimeout")}
        value={settings.timeout}
        placeholder="5s"
        maxLength={10}
      />
    </>
  );
}
