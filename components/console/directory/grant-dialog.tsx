"use client";
// Grants roles to a user: a project found by name, and any of its roles.
import { useQuery } from "@tanstack/react-query";
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
import { operationQuery, withQueries } from "../calls/queries";
import { ChoiceField } from "../forms/choice";
import type { Choosable } from "../forms/choosable";
import { FormDialog } from "../forms/form-dialog";
import { RoleChoice } from "./role-choice";

/**
 * The dialog.
 * @param name the name of the user who gets the roles
 */
function GrantForm({ userId, name }: { userId: string; name: string }) {
  const t = useTranslations();
  const [project, setProject] = useState<ChoosableProject | null>(null);
  const grant = project?.grant;
  const { data } = useQuery({
    ...operationQuery(ListProjectRoles, { at: { projectId: project?.value ?? "" }, body: searchForAll }),
    enabled: project !== null && grant === undefined,
  });
  const roles = grant?.grantedRoleKeys.map((key) => ({ key, displayName: key })) ?? data?.result ?? [];
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
        onChoose={setProject}
      />
      <RoleChoice roles={roles} />
    </FormDialog>
  );
}

export const GrantDialog = withQueries(GrantForm);

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
