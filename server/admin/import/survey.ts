/**
 * Reads a whole export before anything is written: what it contains without its users, which are only counted. A
 * truncated file or a user who appears twice is found here.
 */

import { readExport } from "./read-export";
import type { Exported, ExportedList, ExportSource } from "./sources/found";
import { UnreadableExport } from "./sources/json-parts";

/** An organization in the terms of the bootstrap file. */
export interface SurveyedOrganization {
  entry: Record<string, unknown>;
  lists: Partial<Record<ExportedList, unknown[]>>;
  projects: SurveyedProject[];
  members: { userId: string; roles: readonly string[] }[];
}

export interface SurveyedProject {
  entry: Record<string, unknown>;
  lists: { roles: unknown[]; apps: unknown[]; grants: unknown[] };
}

export interface Survey {
  /** By key, in the order of the file. */
  organizations: Map<string, SurveyedOrganization>;
  projects: Map<string, { organization: string; project: SurveyedProject }>;
  /** The user names by id. */
  userNames: Map<string, string>;
  users: number;
  userGrants: number;
  /** The project and the organization of project grants, by what the file calls them. */
  grants: Map<string, { project: string; organization: string }>;
  grantMembers: { grant: string; userId: string; roles: readonly string[] }[];
  /** Users whose parts the file lists apart from them. */
  parts: number;
  /** The names of identity providers by what the file calls them. */
  providerNames: Map<string, string>;
  /** The domains of passkeys, by whether they sign in without a password. */
  passkeyDomains: Map<boolean, string>;
  /** How often something without a counterpart was found, by what it is and why it has none. */
  lost: Map<string, number>;
}

/** An organization that exists here. */
export interface Home {
  id: string;
  name: string;
}

/** The key of the organization that the operator names. */
export const NAMED = "";

export async function surveyExport(source: ExportSource, path: string): Promise<Survey> {
  const survey: Survey = {
    organizations: new Map(),
    projects: new Map(),
    userNames: new Map(),
    users: 0,
    userGrants: 0,
    grants: new Map(),
    grantMembers: [],
    parts: 0,
    providerNames: new Map(),
    passkeyDomains: new Map(),
    lost: new Map(),
  };
  const lines = new Map<string, number>();
  // Parts of a project, a machine or an app may come before it.
  const early: Early[] = [];
  for await (const found of readExport(source, path)) {
    if (found.kind === "user") noteUser(survey, lines, found);
    else if (found.kind === "of project" || found.kind === "key") early.push(found);
    else note(survey, found);
  }
  for (const found of early) if (found.kind === "of project") noteInProject(survey, found);
  for (const found of early) if (found.kind === "key") noteKey(survey, found);
  return survey;
}

function noteUser(survey: Survey, lines: Map<string, number>, found: Extract<Exported, { kind: "user" }>): void {
  const { organization = NAMED, row, line } = found;
  survey.users++;
  organizationIn(survey, organization);
  const names = [
    row.userId && `id ${row.userId}`,
    row.userName && `name ${row.userName} ${organization}`.toLowerCase(),
  ];
  for (const name of names) {
    if (!name) continue;
    const first = lines.get(name);
    if (first !== undefined) {
      throw new UnreadableExport(`line ${line}: the user ${row.userName ?? row.userId} is in line ${first} already`);
    }
    lines.set(name, line);
  }
  if (row.userId && row.userName) survey.userNames.set(row.userId, row.userName);
}

type Early = Extract<Exported, { kind: "of project" | "key" }>;

function note(survey: Survey, found: Exclude<Exported, { kind: "user" } | Early>): void {
  if (found.kind === "organization") Object.assign(organizationIn(survey, found.key).entry, found.entry);
  else if (found.kind === "of organization") {
    const { lists } = organizationIn(survey, found.organization);
    lists[found.list] = [...(lists[found.list] ?? []), found.entry];
  } else if (found.kind === "project") {
    const project = { entry: { ...found.entry }, lists: { roles: [], apps: [], grants: [] } };
    organizationIn(survey, found.organization).projects.push(project);
    survey.projects.set(found.key, { organization: found.organization, project });
  } else if (found.kind === "member") {
    organizationIn(survey, found.organization).members.push({ userId: found.userId, roles: found.roles });
  } else if (found.kind === "user grant") survey.userGrants++;
  else if (found.kind === "grant name") survey.grants.set(found.key, found);
  else if (found.kind === "grant member") survey.grantMembers.push(found);
  else if (found.kind === "parts") survey.parts++;
  else if (found.kind === "provider name") survey.providerNames.set(found.key, found.name);
  else if (found.kind === "passkey domain") survey.passkeyDomains.set(found.isPasswordless, found.domain);
  else noteLost(survey, found.what, found.why);
}

function noteInProject(survey: Survey, { project, list, entry }: Extract<Exported, { kind: "of project" }>): void {
  const known = survey.projects.get(project);
  if (known) known.project.lists[list].push(entry);
  else noteLost(survey, list, `the file does not contain their project ${project}`);
}

function noteKey(survey: Survey, { of, id, clientId, entry }: Extract<Exported, { kind: "key" }>): void {
  const organizations = [...survey.organizations.values()];
  const entries = organizations.flatMap(({ lists, projects }) =>
    of === "machine" ? (lists.machines ?? []) : projects.flatMap((project) => project.lists.apps),
  ) as { id?: string; keys?: unknown[]; oidc?: KeyOwner; api?: KeyOwner }[];
  const found = entries.find((one) => one.id === id);
  const owner = of === "machine" ? found : (found?.oidc ?? found?.api);
  if (owner) {
    owner.keys = [...(owner.keys ?? []), entry];
    if (clientId !== undefined) (owner as KeyOwner).clientId ??= clientId;
  } else noteLost(survey, `keys of ${of}s`, `the file does not contain their ${of}`);
}

interface KeyOwner {
  keys?: unknown[];
  clientId?: unknown;
}

/** Counts what has no counterpart. */
export function noteLost({ lost }: Survey, what: string, why: string): void {
  const key = `${what}: ${why}`;
  lost.set(key, (lost.get(key) ?? 0) + 1);
}

function organizationIn({ organizations }: Survey, key: string): SurveyedOrganization {
  const known = organizations.get(key) ?? { entry: {}, lists: {}, projects: [], members: [] };
  organizations.set(key, known);
  return known;
}
