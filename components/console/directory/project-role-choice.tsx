"use client";
// Selects a role of any project in one field: the typed text may be the name of the role or of the project.
import { useTranslations } from "next-intl";
import { ListProjectRoles, ListProjects } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { CONTAINS } from "../calls/list";
import { Choice } from "../forms/choice";
import type { Choosable } from "../forms/choosable";

/** The maximum number of projects whose roles are searched, and of roles that are offered. */
const PROJECTS = 20;
const OFFERED = 50;

export interface RoleChosen {
  projectId: string;
  roleKeys: string[];
}

/** Returns the value of the field as the operations expect it. */
export const rolesOf = (chosen: Choosable | null): RoleChosen | undefined =>
  chosen ? (JSON.parse(chosen.value) as RoleChosen) : undefined;

interface ProjectRoleChoiceProps {
  label: string;
  required?: boolean;
  /** The organization; defaults to that of the page's address. */
  organizationId?: string;
  onChoose(chosen: Choosable | null): void;
}

export function ProjectRoleChoice({ label, required, organizationId, onChoose }: ProjectRoleChoiceProps) {
  const t = useTranslations();
  const hint = t("directory.inviteRoleHint");
  const search = (typed: string) => findRoles(typed, organizationId);
  return <Choice name="role" label={label} hint={hint} required={required} search={search} onChoose={onChoose} />;
}

async function findRoles(typed: string, organizationId?: string): Promise<Choosable[]> {
  const [named, all] = await Promise.all([
    projectsNamed(typed, organizationId),
    typed === "" ? [] : projectsNamed("", organizationId),
  ]);
  const projects = [...new Map([...named, ...all].map((project) => [project.id, project])).values()];
  const found = await Promise.all(projects.map((project) => rolesIn(project, organizationId)));
  const wanted = typed.toLowerCase();
  const isMeant = ({ label, detail = "" }: Choosable) => `${label} ${detail}`.toLowerCase().includes(wanted);
  return found.flat().filter(isMeant).slice(0, OFFERED);
}

async function projectsNamed(name: string, organizationId?: string) {
  const queries = name === "" ? [] : [{ nameQuery: { name, method: CONTAINS } }];
  const answer = await callOperation(ListProjects, { organizationId, body: { query: { limit: PROJECTS }, queries } });
  return answer.ok ? answer.body.result : [];
}

async function rolesIn(
  { id: projectId, name }: { id: string; name: string },
  organizationId?: string,
): Promise<Choosable[]> {
  const answer = await callOperation(ListProjectRoles, {
    organizationId,
    at: { projectId },
    body: { query: { limit: OFFERED } },
  });
  const roles = answer.ok ? answer.body.result : [];
  return roles.map(({ key, displayName }) => ({
    value: JSON.stringify({ projectId, roleKeys: [key] } satisfies RoleChosen),
    label: displayName || key,
    detail: name,
  }));
}
