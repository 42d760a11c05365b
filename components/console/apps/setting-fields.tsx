// A titled part of the form with the settings of an app: one field for each setting, by its kind.
import { CheckboxGroup, SelectField, SwitchField, TextField } from "../forms/fields";
import { AddressList, type AddressListProps } from "./address-list";
import type { OidcConfig } from "./app";
import { LifetimeField } from "./lifetime-field";
import { SettingGroup } from "./setting-group";

/** The settings whose values have a type. */
type NamesOf<Value> = {
  [Name in keyof OidcConfig]-?: NonNullable<OidcConfig[Name]> extends Value ? Name : never;
}[keyof OidcConfig];

type Options = readonly { value: string; label: string }[];

export type SettingField = { label: string; hint?: string } & (
  | { as: "switch"; name: NamesOf<boolean> }
  | { as: "url"; name: NamesOf<string> }
  /** The path of a value that is not a setting by itself. */
  | { as: "address"; name: string; value: string | undefined }
  | { as: "choice"; name: NamesOf<string>; options: Options }
  | { as: "checkboxes"; name: NamesOf<readonly string[]>; options: Options }
  | { as: "lifetime"; name: NamesOf<string>; usual: string; absent?: string; min?: number }
  | ({ as: "addresses"; name: NamesOf<readonly string[]>; hint: string; rules?: AddressListProps["settings"] } & Pick<
      AddressListProps,
      "verdicts"
    >)
);

export interface SettingFieldsProps {
  title: string;
  fields: readonly SettingField[];
  settings: OidcConfig;
}

export function SettingFields({ title, fields, settings }: SettingFieldsProps) {
  return (
    <SettingGroup title={title}>
      {fields.map((field) => (
        <Field key={field.name} field={field} settings={settings} />
      ))}
    </SettingGroup>
  );
}

function Field({ field, settings }: { field: SettingField; settings: OidcConfig }) {
  const { label, hint } = field;
  switch (field.as) {
    case "switch":
      return <SwitchField name={field.name} label={label} hint={hint} isOn={settings[field.name]} />;
    case "url":
      return <TextField name={field.name} type="url" label={label} hint={hint} value={settings[field.name]} />;
    case "address":
      return <TextField name={field.name} type="url" label={label} hint={hint} value={field.value} />;
    case "choice": {
      const { name, options } = field;
      return <SelectField name={name} label={label} hint={hint} options={options} value={settings[name]} />;
    }
    case "checkboxes":
      return <CheckboxGroup name={field.name} label={label} options={field.options} chosen={settings[field.name]} />;
    case "lifetime": {
      const { as: _, name, ...props } = field;
      return <LifetimeField name={name} {...props} value={settings[name]} />;
    }
    case "addresses": {
      const { as: _, rules, ...props } = field;
      return <AddressList {...props} settings={rules} addresses={settings[field.name]} />;
    }
  }
}
