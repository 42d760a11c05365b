"use client";
// Grants roles to a user: a project found by name, and any of its roles.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { callOperation } from "../call";
import { Choice, type Choosable } from "../choice";
import { FormDialog } from "../form-dialog";
import { AddUserGrant, ListProjectRoles, ListProjects } from "../generated/operations";
import { CONTAINS, searchForAll } from "../list";
import type { ProjectRole } from "../projects/project";
import { useTurn } from "../use-turn";
import { RoleChoice } from "./role-choice";

/**
 * The dialog.
 * @param name the name of the user who gets the roles
 */
export function GrantDialog({ userId, name }: { userId: string; name: string }) {
  const t = useTranslations();
  const [roles, setRoles] = useState<readonly ProjectRole[]>([]);
  const begin = useTurn();
  const readRoles = async (project: Choosable | null) => {
    const isLast = begin();
    setRoles([]); // roles of another project do not exist in this one
    if (!project) return;
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
      submit={t("directory.add")}
      done={t("directory.saved")}
    >
      <Choice name="projectId" label={t("directory.project")} required search={findProjects} onChoose={readRoles} />
      <RoleChoice roles={roles} />
    </FormDialog>
  );
}

async function findProjects(typed: string): Promise<Choosable[]> {
  const queries = typed === "" ? [] : [{ nameQuery: { name: typed, method: CONTAINS } }];
  const body = { query: { limit: 20 }, queries };
  const answer = await callOperation(ListProjects, { body });
  return answer.ok ? answer.body.result.map(({ id, name }) => ({ value: id, label: name, detail: id })) : [];
}
