// One organization: its name, state and domains.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DeactivateOrg, GetMyOrg, ReactivateOrg, RemoveOrg, UpdateOrg } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { LanguageSelect } from "../forms/language-fields";
import { withHint } from "../forms/with-hint";
import { CopyValue } from "../parts/copy-value";
import { Facts } from "../parts/facts";
import { LanguageName } from "../parts/known-languages";
import { Moment } from "../parts/moment";
import { DomainTable } from "./domain-table";
import type { Domain, Organization } from "./organization";
import { OrganizationState } from "./organization-state";

export interface OrganizationPageProps {
  organization: Organization;
  domains: readonly Domain[];
  mayWrite: boolean;
  mayDelete: boolean;
  /** The latest sign-in attempts, if the visitor may read them. */
  attempts: ReactNode;
}

export function OrganizationPage({ organization, domains, mayWrite, mayDelete, attempts }: OrganizationPageProps) {
  const t = useTranslations();
  const { id, name, state, details, defaultLanguage, isDefault } = organization;
  const isActive = state === "ORG_STATE_ACTIVE";
  return (
    <>
      <div className="head">
        <h1>
          <Name>{name}</Name>
        </h1>
        {mayWrite && (
          <div className="buttons">
            <FormDialog
              id="change-organization"
              label={t("directory.change")}
              title={t("directory.changeOrganization")}
              operation={UpdateOrg}
              submit={t("directory.save")}
              done={t("directory.saved")}
              review={{ wayBack: { read: GetMyOrg, of: "org" } }}
            >
              <TextField name="name" label={t("directory.name")} value={name} required maxLength={200} />
              <LanguageField value={defaultLanguage} />
            </FormDialog>
            {isActive ? (
              <ConfirmButton
                id="deactivate-organization"
                label={t("directory.deactivate")}
                title={t("directory.deactivateTitle", { name })}
                text={<p>{t("directory.deactivateOrganization")}</p>}
                operation={DeactivateOrg}
                body={{}}
                done={t("directory.deactivated")}
              />
            ) : (
              <ActionButton
                id="reactivate-organization"
                label={t("directory.reactivate")}
                operation={ReactivateOrg}
                body={{}}
                done={t("directory.reactivated")}
              />
            )}
          </div>
        )}
      </div>
      <Facts
        facts={[
          [t("directory.state"), <OrganizationState key="state" state={state} />],
          [t("directory.id"), <CopyValue key="id" value={id} label={t("directory.id")} />],
          [t("directory.created"), <Moment key="created" at={Date.parse(details.creationDate)} />],
          [t("directory.language"), defaultLanguage && <LanguageName key="language" tag={defaultLanguage} />],
          [t("directory.role"), isDefault && t("directory.isDefault")],
        ]}
      />
      <DomainTable organizationId={id} domains={domains} mayWrite={mayWrite} />
      {attempts}
      {mayDelete && !isDefault && (
        <section className="card danger" aria-labelledby="delete">
          <h2 id="delete">{t("directory.deleteOrganization")}</h2>
          <p>{t("directory.deleteOrganizationHint")}</p>
          <p>
            <ConfirmButton
              id="delete-organization"
              label={t("directory.deleteOrganization")}
              title={t("directory.deleteTitle", { name })}
              text={<p>{t("directory.deleteOrganizationHint")}</p>}
              operation={RemoveOrg}
              then="/console"
            />
          </p>
        </section>
      )}
    </>
  );
}

function LanguageField({ value }: { value: string | undefined }) {
  const t = useTranslations();
  return (
    <LanguageSelect
      name="defaultLanguage"
      {...withHint(t, "directory.language")}
      value={value ?? ""}
      nullable
      none={t("directory.instanceLanguage")}
    />
  );
}
