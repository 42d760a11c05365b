// A new user, with as few fields as possible. Without a password, an email invites the user to choose one.
import { useTranslations } from "next-intl";
import { AddHumanUser } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { ActionForm } from "../forms/action-form";
import { SwitchField, TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { NameFields } from "./name-fields";
import { LanguageField } from "./profile-fields";

export function NewUserPage({ organizationId, domain }: { organizationId: string; domain: string | undefined }) {
  const t = useTranslations();
  const list = pageAddress("users", organizationId);
  return (
    <>
      <p className="back">
        <a href={list}>{t("pages.users")}</a>
      </p>
      <h1>{t("directory.createUser")}</h1>
      <p className="lead">{t("directory.createUserLead")}</p>
      <div className="card">
        <ActionForm id="new-user" operation={AddHumanUser} submit={t("directory.createUser")} then={`${list}/{userId}`}>
          <TextField name="profile.firstName" label={t("directory.firstName")} required maxLength={200} />
          <TextField name="profile.lastName" label={t("directory.lastName")} required maxLength={200} />
          <NameFields domain={domain}>
            <SwitchField name="email.isEmailVerified" {...withHint(t, "directory.vouchEmail")} />
          </NameFields>
          <TextField
            name="phone.phone"
            label={t("directory.phoneOptional")}
            hint={t("directory.phoneHint")}
            type="tel"
            maxLength={50}
          />
          <LanguageField name="profile.preferredLanguage" />
          <TextField
            name="initialPassword"
            {...withHint(t, "directory.initialPassword")}
            type="password"
            autoComplete="new-password"
            maxLength={72}
          />
        </ActionForm>
      </div>
    </>
  );
}
