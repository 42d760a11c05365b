// One project: its apps, its roles, who may sign in, and its removal. The users with its roles and its managers are
// separate views.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import {
  DeactivateProject,
  GetProjectByID,
  ReactivateProject,
  RemoveProject,
  UpdateProject,
} from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { AddressList } from "../apps/address-list";
import { type App, clientIdOf } from "../apps/app";
import { AppState } from "../apps/app-list";
import { ConfirmButton } from "../dialogs/confirm-button";
import { ActionForm } from "../forms/action-form";
import { SelectField, SwitchField, TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { Table } from "../lists/table";
import { Views } from "../parts/views";
import type { Project, ProjectRole } from "./project";
import { RoleTable } from "./role-table";
import { ScopeTable } from "./scope-table";

const VIEW_NAMES = {
  project: "apps.project",
  grants: "apps.grants",
  organizations: "apps.organizations",
  members: "pages.members",
} as const;

export interface ProjectPageProps {
  /** Address of the organization's pages. */
  base: string;
  project: Pick<Project, "id" | "name">;
  /** Next to the name. */
  state: ReactNode;
  /** Below the name. */
  lead?: ReactNode;
  views: readonly (keyof typeof VIEW_NAMES)[];
  view: string;
  children: ReactNode;
}

/** The frame of a project's views. */
export function ProjectPage({ base, project, state, lead, views, view, children }: ProjectPageProps) {
  const t = useTranslations();
  const here = `${base}/projects/${encodeURIComponent(project.id)}`;
  return (
    <>
      <p className="crumb">
        <a href={`${base}/projects`}>{t("pages.projects")}</a>
      </p>
      <div className="head">
        <h1>
          <Name>{project.name}</Name>
        </h1>
        {state}
      </div>
      {lead}
      {views.length > 1 && (
        <Views
          view={view}
          views={views.map((name) => ({ name, label: t(VIEW_NAMES[name]), href: `${here}?view=${name}` }))}
        />
      )}
      {children}
    </>
  );
}

export interface ProjectViewProps {
  /** Address of the organization's pages. */
  base: string;
  project: Project;
  roles: readonly ProjectRole[];
  apps: readonly App[];
  may: { write: boolean; delete: boolean; writeRoles: boolean; deleteRoles: boolean };
}

export function ProjectView({ base, project, roles, apps, may }: ProjectViewProps) {
  const t = useTranslations();
  const at = { projectId: project.id };
  const isActive = project.state === "PROJECT_STATE_ACTIVE";
  return (
    <>
      <section className="card" aria-labelledby="apps">
        <h2 id="apps">{t("pages.apps")}</h2>
        <Table
          caption={t("pages.apps")}
          rows={apps}
          keyOf={({ id }) => id}
          empty={<p>{t("apps.none")}</p>}
          columns={[
            {
              id: "name",
              label: t("apps.name"),
              isPlain: true,
              text: ({ name }) => name,
              href: ({ id }) => `${base}/projects/${encodeURIComponent(project.id)}/apps/${encodeURIComponent(id)}`,
            },
            { id: "client", label: t("apps.clientId"), copied: clientIdOf },
            { id: "state", label: t("apps.state"), isBadge: true, cell: (app) => <AppState app={app} isInList /> },
          ]}
        />
      </section>
      <RoleTable projectId={project.id} roles={roles} mayWrite={may.writeRoles} mayDelete={may.deleteRoles} />
      <ScopeTable projectId={project.id} scopes={project.scopes} mayWrite={may.write} />
      {may.write && (
        <section className="card" aria-labelledby="settings">
          <h2 id="settings">{t("apps.settings")}</h2>
          <ActionForm
            id="project-settings"
            submit={t("apps.save")}
            operation={UpdateProject}
            at={at}
            done={t("apps.saved")}
            review={{ version: project.details.sequence, wayBack: { read: GetProjectByID, at, of: "project" } }}
          >
            <TextField name="name" label={t("apps.projectName")} value={project.name} required maxLength={200} />
            <SwitchField
              name="projectRoleAssertion"
              {...withHint(t, "apps.roleAssertion")}
              isOn={project.projectRoleAssertion}
            />
            <SwitchField name="projectRoleCheck" {...withHint(t, "apps.roleCheck")} isOn={project.projectRoleCheck} />
            <SwitchField name="hasProjectCheck" {...withHint(t, "apps.projectCheck")} isOn={project.hasProjectCheck} />
            <SelectField
              name="privateLabelingSetting"
              {...withHint(t, "apps.privateLabeling")}
              value={project.privateLabelingSetting}
              options={labelings(project).map((value) => ({ value, label: t(`apps.by.labeling.${value}`) }))}
            />
            <AddressList name="resources" {...withHint(t, "apps.resources")} addresses={project.resources} />
            <TextField
              name="rolesClaim"
              {...withHint(t, "apps.rolesClaim")}
              value={project.rolesClaim}
              maxLength={100}
              keepsEmpty
              dir="ltr"
            />
          </ActionForm>
        </section>
      )}
      {(may.write || may.delete) && (
        <section className="card" aria-labelledby="end">
          <h2 id="end">{t("apps.end")}</h2>
          <div className="buttons">
            {may.write && (
              <ConfirmButton
                id="switch-project"
                operation={isActive ? DeactivateProject : ReactivateProject}
                at={at}
                label={isActive ? t("apps.deactivate") : t("apps.reactivate")}
                look={isActive ? "danger" : "primary"}
                triggerLook="plain"
                title={t(isActive ? "apps.deactivateTitle" : "apps.reactivateTitle", { name: project.name })}
                text={<p>{isActive ? t("apps.deactivateProjectText") : t("apps.reactivateText")}</p>}
                done={t("apps.saved")}
              />
            )}
            {may.delete && (
              <ConfirmButton
                id="delete-project"
                operation={RemoveProject}
                at={at}
                label={t("apps.delete")}
                title={t("apps.deleteTitle", { name: project.name })}
                text={<p>{t("apps.deleteProjectText")}</p>}
                done={t("apps.deleted")}
                then={`${base}/projects`}
              />
            )}
          </div>
        </section>
      )}
    </>
  );
}

/** Returns the settings to choose from: those that have an effect, with the project's own name for the usual one. */
function labelings({ privateLabelingSetting }: Project) {
  const enforced = "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY";
  const isEnforced = privateLabelingSetting === enforced;
  return [isEnforced ? ("PRIVATE_LABELING_SETTING_UNSPECIFIED" as const) : privateLabelingSetting, enforced] as const;
}
