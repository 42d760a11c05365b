// The managers of the instance, an organization, a project or its grant, with their roles.

import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import * as operations from "../../../shared/generated/operations";
import type { ListAnswer } from "../calls/list";
import { ConfirmButton } from "../dialogs/confirm-button";
import { FormDialog } from "../forms/form-dialog";
import { Pager } from "../lists/pager";
import { Table } from "../lists/table";
import { AddMember } from "./add-member";
import { MemberRoles, RoleName } from "./member-roles";
import type { UserPlace } from "./user-choice";

export type Member = Schemas["Member"];

export interface MemberListProps {
  of: "organization" | "instance" | "project" | "projectGrant";
  /** The address of the page. */
  path: string;
  /** The query without the page number. */
  query: Readonly<Record<string, string>>;
  /** The project, or its grant to the organization, whose managers are listed. */
  at?: { projectId: string; grantId?: string };
  list: ListAnswer<Member>;
  pageNumber: number;
  roles: readonly string[];
  mayWrite: boolean;
  mayDelete: boolean;
  /** Where new managers are searched; undefined if they are entered by id. */
  among: UserPlace;
}

const LEADS = {
  instance: "directory.administratorsLead",
  organization: "directory.membersLead",
  project: "directory.projectMembersLead",
  projectGrant: "directory.grantMembersLead",
} as const;

const OPERATIONS = {
  instance: { add: operations.AddIAMMember, update: operations.UpdateIAMMember, remove: operations.RemoveIAMMember },
  organization: {
    add: operations.AddOrgMember,
    update: operations.UpdateOrgMember,
    remove: operations.RemoveOrgMember,
  },
  project: {
    add: operations.AddProjectMember,
    update: operations.UpdateProjectMember,
    remove: operations.RemoveProjectMember,
  },
  projectGrant: {
    add: operations.AddProjectGrantMember,
    update: operations.UpdateProjectGrantMember,
    remove: operations.RemoveProjectGrantMember,
  },
} as const;

export function MemberList(props: MemberListProps) {
  const { of, path, query, at, list, pageNumber, roles, mayWrite, mayDelete, among } = props;
  const t = useTranslations();
  const { add, update, remove } = OPERATIONS[of];
  const title = t(of === "instance" ? "pages.administrators" : "pages.members");
  return (
    <>
      <div className="head">
        {at ? <h2>{title}</h2> : <h1>{title}</h1>}
        {mayWrite && <AddMember operation={add} at={at} roles={roles} among={among} />}
      </div>
      <p className="lead">{t(LEADS[of])}</p>
      <Table
        caption={title}
        rows={list.result}
        keyOf={({ userId }) => userId}
        empty={<p>{t("directory.noMembers")}</p>}
        columns={[
          { id: "name", label: t("directory.name"), isPlain: true, text: ({ displayName }) => displayName },
          {
            id: "login",
            label: t("frame.loginName"),
            isPlain: true,
            login: ({ preferredLoginName }) => preferredLoginName,
          },
          {
            id: "roles",
            label: t("directory.roles"),
            cell: (member) => (
              <ul>
                {member.roles.map((role) => (
                  <li key={role}>
                    <RoleName role={role} />
                  </li>
                ))}
                {member.languages && (
                  <li className="quiet">{t("directory.onlyLanguages", { languages: member.languages.join(", ") })}</li>
                )}
              </ul>
            ),
          },
        ]}
        actions={(member) => (
          <div className="buttons">
            {mayWrite && (
              <FormDialog
                id={`change-${member.userId}`}
                label={t("directory.changeRoles")}
                title={t("directory.changeRolesTitle", { name: member.displayName })}
                operation={update}
                at={{ ...at, userId: member.userId }}
                submit={t("directory.save")}
                done={t("directory.saved")}
              >
                <MemberRoles
                  // Includes roles that only the bootstrap file grants, so that saving does not remove them.
                  roles={[...new Set([...roles, ...member.roles])]}
                  chosen={member.roles}
                  languages={member.languages}
                />
              </FormDialog>
            )}
            {mayDelete && (
              <ConfirmButton
                id={`remove-${member.userId}`}
                label={t("directory.remove")}
                title={t("directory.removeMemberTitle", { name: member.displayName })}
                text={<p>{t("directory.removeMemberText")}</p>}
                operation={remove}
                at={{ ...at, userId: member.userId }}
                done={t("directory.removed")}
              />
            )}
          </div>
        )}
      />
      <Pager path={path} query={query} page={pageNumber} total={Number(list.details.totalResult)} />
    </>
  );
}
