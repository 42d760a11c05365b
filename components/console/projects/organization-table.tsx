// The organizations that a project is granted to, with the roles that each can give.
import { useTranslations } from "next-intl";
import {
  AddProjectGrant,
  DeactivateProjectGrant,
  ReactivateProjectGrant,
  RemoveProjectGrant,
  UpdateProjectGrant,
} from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ActionButton } from "../calls/action-button";
import type { ListAnswer } from "../calls/list";
import { ConfirmButton } from "../dialogs/confirm-button";
import { RoleChoice } from "../directory/role-choice";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { Pager } from "../lists/pager";
import { Table } from "../lists/table";
import { GrantedRoleList, GrantedState, isActive } from "./granted-parts";
import type { GrantedProject, ProjectRole } from "./project";

export interface OrganizationTableProps {
  /** The path of the page. */
  path: string;
  projectId: string;
  roles: readonly ProjectRole[];
  list: ListAnswer<GrantedProject>;
  pageNumber: number;
  may: { write: boolean; delete: boolean };
}

export function OrganizationTable({ path, projectId, roles, list, pageNumber, may }: OrganizationTableProps) {
  const t = useTranslations();
  const title = t("apps.organizations");
  return (
    <section aria-labelledby="organizations" className="section">
      <div className="head">
        <h2 id="organizations">{title}</h2>
        {may.write && (
          <FormDialog
            id="grant-project"
            label={t("apps.grantProject")}
            triggerLook="primary"
            operation={AddProjectGrant}
            at={{ projectId }}
            done={t("apps.saved")}
          >
            <TextField name="grantedOrgId" {...withHint(t, "apps.organizationId")} required maxLength={200} dir="ltr" />
            <RoleChoice roles={roles} />
          </FormDialog>
        )}
      </div>
      <p>{t("apps.organizationsHint")}</p>
      <Table
        caption={title}
        rows={list.result}
        keyOf={({ grantId }) => grantId}
        empty={<p>{t("apps.noOrganizations")}</p>}
        columns={[
          {
            id: "organization",
            label: t("apps.organization"),
            size: "text",
            isPlain: true,
            title: ({ grantedOrgId, grantedOrgName }) => `${grantedOrgName} (${grantedOrgId})`,
            cell: ({ grantedOrgId, grantedOrgName }) => (
              <>
                <Name>{grantedOrgName}</Name> <code className="quiet">{grantedOrgId}</code>
              </>
            ),
          },
          {
            id: "roles",
            label: t("apps.roles"),
            size: "text",
            title: ({ grantedRoleKeys }) => grantedRoleKeys.join(", "),
            cell: (grant) => <GrantedRoleList grant={grant} />,
          },
          { id: "state", label: t("apps.state"), isBadge: true, cell: (grant) => <GrantedState grant={grant} /> },
        ]}
        actions={(grant) => <OrganizationButtons grant={grant} roles={roles} may={may} />}
      />
      <Pager path={path} query={{ view: "organizations" }} page={pageNumber} total={Number(list.details.totalResult)} />
    </section>
  );
}

type ButtonsProps = Pick<OrganizationTableProps, "roles" | "may"> & { grant: GrantedProject };

function OrganizationButtons({ grant, roles, may }: ButtonsProps) {
  const t = useTranslations();
  const { grantId, projectId, grantedOrgName: organization } = grant;
  const at = { projectId, grantId };
  return (
    <div className="buttons">
      {may.write && (
        <>
          <FormDialog
            id={`roles-${grantId}`}
            label={t("apps.changeRoles")}
            triggerLook="plain"
            title={t("apps.changeRolesTitle", { organization })}
            description={t("apps.changeRolesText")}
            operation={UpdateProjectGrant}
            at={at}
            submit={t("apps.save")}
            done={t("apps.saved")}
          >
            <RoleChoice roles={roles} chosen={grant.grantedRoleKeys} />
          </FormDialog>
          <ActionButton
            id={`turn-${grantId}`}
            label={isActive(grant) ? t("apps.deactivate") : t("apps.reactivate")}
            operation={isActive(grant) ? DeactivateProjectGrant : ReactivateProjectGrant}
            at={at}
            body={{}}
            done={t("apps.saved")}
          />
        </>
      )}
      {may.delete && (
        <ConfirmButton
          id={`remove-${grantId}`}
          label={t("apps.remove")}
          triggerLook="plain"
          title={t("apps.removeOrganizationTitle", { organization })}
          text={<p>{t("apps.removeOrganizationText")}</p>}
          operation={RemoveProjectGrant}
          at={at}
          done={t("apps.removed")}
        />
      )}
    </div>
  );
}
