// The users who have roles of a project.
import { useTranslations } from "next-intl";
import { AddUserGrant } from "../../../shared/generated/operations";
import type { ListAnswer } from "../calls/list";
import type { UserGrant } from "../directory/grant";
import { GrantButtons, type GrantPermissions, useGrantColumns } from "../directory/grant-parts";
import { RoleChoice } from "../directory/role-choice";
import { UserChoice } from "../directory/user-choice";
import { FormDialog } from "../forms/form-dialog";
import { Pager } from "../lists/pager";
import { Table } from "../lists/table";
import type { ProjectRole } from "./project";

export interface GrantTableProps {
  /** The path of the page. */
  path: string;
  projectId: string;
  /** The grant by which the organization has the project, if another one owns it. */
  projectGrantId?: string;
  roles: readonly Pick<ProjectRole, "key" | "displayName">[];
  list: ListAnswer<UserGrant>;
  pageNumber: number;
  may: GrantPermissions & { searchUsers: boolean };
}

export function GrantTable({ path, projectId, projectGrantId, roles, list, pageNumber, may }: GrantTableProps) {
  const t = useTranslations();
  const title = t("apps.grants");
  return (
    <section aria-labelledby="grants" className="section">
      <div className="head">
        <h2 id="grants">{title}</h2>
        {may.write && (
          <FormDialog
            id="add-grant"
            label={t("directory.addGrant")}
            triggerLook="primary"
            operation={AddUserGrant}
            at={{ userId: { field: "userId" } }}
            body={{ projectId, projectGrantId }}
            submit={t("directory.add")}
            done={t("directory.saved")}
          >
            <UserChoice among={may.searchUsers ? "organization" : undefined} />
            <RoleChoice roles={roles} />
          </FormDialog>
        )}
      </div>
      <Table
        caption={title}
        rows={list.result}
        keyOf={({ id }) => id}
        empty={<p>{t("directory.noHolders")}</p>}
        columns={[
          { id: "name", label: t("directory.name"), isPlain: true, text: nameOf },
          { id: "login", label: t("frame.loginName"), isPlain: true, login: ({ userName }) => userName },
          ...useGrantColumns(),
        ]}
        actions={(grant) => <GrantButtons grant={grant} name={nameOf(grant)} may={may} />}
      />
      <Pager path={path} query={{ view: "grants" }} page={pageNumber} total={Number(list.details.totalResult)} />
    </section>
  );
}

const nameOf = ({ displayName, userName }: UserGrant): string => displayName || userName;
