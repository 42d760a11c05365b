// The roles of a project, which are part of the tokens of its apps.
import { useTranslations } from "next-intl";
import { AddProjectRole, RemoveProjectRole } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { Table } from "../lists/table";
import type { ProjectRole } from "./project";

export interface RoleTableProps {
  projectId: string;
  roles: readonly ProjectRole[];
  mayWrite: boolean;
  mayDelete: boolean;
}

export function RoleTable({ projectId, roles, mayWrite, mayDelete }: RoleTableProps) {
  const t = useTranslations();
  return (
    <section className="card" aria-labelledby="roles">
      <h2 id="roles">{t("apps.roles")}</h2>
      <p>{t("apps.rolesHint")}</p>
      <Table
        caption={t("apps.roles")}
        rows={roles}
        keyOf={({ key }) => key}
        empty={<p>{t("apps.noRoles")}</p>}
        columns={[
          { id: "key", label: t("apps.roleKey"), cell: ({ key }) => <code>{key}</code> },
          { id: "name", label: t("apps.roleName"), cell: ({ displayName }) => <Name>{displayName}</Name> },
          { id: "group", label: t("apps.roleGroup"), cell: ({ group }) => group && <Name>{group}</Name> },
        ]}
        actions={({ key }) =>
          mayDelete && (
            <ConfirmButton
              id={`remove-role-${key}`}
              operation={RemoveProjectRole}
              at={{ projectId, roleKey: key }}
              label={t("apps.remove")}
              triggerLook="plain"
              title={t("apps.removeRoleTitle", { role: key })}
              text={<p>{t("apps.removeRoleText")}</p>}
              done={t("apps.removed")}
            />
          )
        }
      />
      {mayWrite && (
        <FormDialog
          id="add-role"
          label={t("apps.addRole")}
          operation={AddProjectRole}
          at={{ projectId }}
          done={t("apps.saved")}
        >
          <TextField name="roleKey" {...withHint(t, "apps.roleKey")} required maxLength={200} />
          <TextField name="displayName" label={t("apps.roleName")} required maxLength={200} />
          <TextField name="group" label={t("apps.roleGroup")} maxLength={200} />
        </FormDialog>
      )}
    </section>
  );
}
