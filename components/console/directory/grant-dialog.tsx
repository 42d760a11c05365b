"use client";
// Grants roles to a user: a project found by name, and any of its roles.
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Schemas } from "../../../server/api/generated/operations";
import {
  AddUserGrant,
  ListGrantedProjects,
  ListProjectRoles,
  ListProjects,
} from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { CONTAINS, searchForAll } from "../calls/list";
import { useTurn } from "../calls/use-turn";
import { ChoiceField, type Choosable } from "../forms/choice";
import { FormDialog } from "../forms/form-dialog";
import { RoleChoice } from "./role-choice";

/**
 * The dialog.
 * @param name the name of the user who gets the roles
 */
export function GrantDialog({ userId, name }: { userId: string; name: string }) {
  const t = useTranslations();
  const [roles, setRoles] = useState<readonly Pick<Schemas["ProjectRole"], "key" | "displayName">[]>([]);
  const [grant, setGrant] = useState<Schemas["GrantedProject"]>();
  const begin = useTurn();
  const readRoles = async (project: ChoosableProject | null) => {
    const isLast = begin();
    setRoles([]); // roles of another project do not exist in this one
    setGrant(project?.grant);
    if (!project) return;
    if (project.grant) return setRoles(project.grant.grantedRoleKeys.map((key) => ({ key, displayName: key })));
    const answer = await callOperation(ListProjectRoles, { at: { projectId: project.value }, body: searchForAll });
    if (isLast()) setRoles(answer.ok ? answer.body.result : []);
  };
  return (
    <FormDialog
      id="add-grant"
      label={t("directory.addGrant")}
      title={t("directory.addGrantTitle", { name })}
      operation={AddUserGrant}
      at={{ userId }}
      body={grant && { projectGrantId: grant.grantId }}
      submit={t("directory.add")}
      done={t("directory.saved")}
    >
      <ChoiceField
        name="projectId"
        label={t("directory.project")}
        required
        search={findProjects}
        onChoose={readRoles}
      />
      <RoleChoice roles={roles} />
    </FormDialog>
  );
}

/** A project of the organization, or one that is granted to it. */
interface ChoosableProject extends Choosable {
  grant?: Schemas["GrantedProject"];
}

async function findProjects(typed: string): Promise<ChoosableProject[]> {
  const queries = typed === "" ? [] : [{ nameQuery: { name: typed, method: CONTAINS } }];
  const body = { query: { limit: 20 }, queries };
  const [own, granted] = await Promise.all([
    callOperation(ListProjects, { body }),
    callOperation(ListGrantedProjects, { body }),
  ]);
  const projects = own.ok ? own.body.result.map(({ id, name }) => ({ value: id, label: name, detail: id })) : [];
  const grants = granted.ok ? granted.body.result : [];
  return [
    ...projects,
    ...grants.map((grant) => ({
      value: grant.projectId,
      label: grant.projectName,
      detail: `${grant.projectOwnerName}, ${grant.projectId}`,
      grant,
    })),
  ];
}
