// A user's own profile, in one form. Choices are select lists, which work without scripts and with every screen reader.

import type { ReactNode } from "react";
import type { LoginTranslator } from "../../../messages/login";
import type { ProfileField, ProfileProblems } from "../../../server/login/account/profile";
import { ErrorSummary, Field, FieldError, HiddenFields, PrimaryButton, type SummaryEntry } from "../../ui/form";
import { type AccountFields, AccountFrame } from "../account-frame";
import { namesInOrder } from "../names-in-order";

export interface AccountProfileProps {
  action: string;
  fields: AccountFields;
  saved: boolean;
  /** The stored values, or the typed ones if they were rejected. */
  values: Readonly<Record<ProfileField, string>>;
  errors?: ProfileProblems;
  /** The BCP 47 tags with each language's own name. */
  languages: readonly { tag: string; endonym: string }[];
  /** The IANA names. */
  timeZones: readonly string[];
  maximumLength: number;
  organizationName?: string;
}

type Props = AccountProfileProps & { t: LoginTranslator; locale: string };

const OTHER_NAMES = [
  { name: "nickname", label: "account.nickname", autoComplete: "nickname" },
  { name: "displayName", label: "account.displayName", autoComplete: "name" },
] as const;

export function AccountProfilePage(props: Props) {
  const { t, values, errors = {}, languages, timeZones } = props;
  const entries = (Object.keys(errors) as ProfileField[]).flatMap((field): SummaryEntry[] => {
    const text = errorText(props, field);
    return text === undefined ? [] : [{ field, text }];
  });
  return (
    <AccountFrame t={t} section="profile" fields={props.fields} saved={props.saved}>
      <p>{t("account.profileShared")}</p>
      {entries.length > 0 && <ErrorSummary entries={entries} />}
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={props.fields} />
        {[...namesInOrder(props.locale), ...OTHER_NAMES].map(({ name, label, autoComplete }) => (
          <Field
            key={name}
            name={name}
            label={t(label)}
            hint={name === "displayName" ? t("account.displayNameHint") : undefined}
            value={values[name]}
            error={errorText(props, name)}
            errorPrefix={t("common.fieldError")}
            type="text"
            autoComplete={autoComplete}
            maxLength={props.maximumLength}
            dir="auto"
          />
        ))}
        <Choice {...props} name="language" label={t("common.language")}>
          <option value="">{t("account.asBrowser")}</option>
          {languages.map(({ tag, endonym }) => (
            <option key={tag} value={tag} lang={tag} dir="auto">
              {endonym}
            </option>
          ))}
        </Choice>
        <Choice {...props} name="timeZone" label={t("account.timeZone")}>
          <option value="">{t("account.noTimeZone")}</option>
          {timeZones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </Choice>
        <PrimaryButton id="submit">{t("account.save")}</PrimaryButton>
      </form>
    </AccountFrame>
  );
}

function Choice(props: Props & { name: "language" | "timeZone"; label: string; children: ReactNode }) {
  const { t, name, label, values, children } = props;
  const error = errorText(props, name);
  const errorId = error ? `${name}-error` : undefined;
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <FieldError id={errorId} prefix={t("common.fieldError")} text={error} />
      <select
        id={name}
        name={name}
        defaultValue={values[name]}
        autoComplete={name === "language" ? "language" : undefined}
        aria-describedby={errorId}
        aria-invalid={error ? true : undefined}
      >
        {children}
      </select>
    </div>
  );
}

function errorText({ t, errors = {}, maximumLength }: Props, field: ProfileField): string | undefined {
  switch (errors[field]) {
    case "too-long":
      return t("setup.tooLong", { count: maximumLength });
    case "invalid":
      return t(field === "language" || field === "timeZone" ? "account.unknownChoice" : "createAccount.invalidName");
    case undefined:
      return undefined;
  }
}
