"use client";
// The filters of the audit log that choose by typing: the type of event, the actor, the object and, in the log of the
// service, the organization.
import { useTranslations } from "next-intl";
import { ListOrganizationApps, ListProjects } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { CONTAINS } from "../calls/list";
import { findUsers } from "../directory/find-users";
import type { Choosable } from "../forms/choosable";
import { FilterPick, OrganizationFilter } from "../lists/filter-pick";
import type { Level } from "../parts/level";

/** @param types the groups and types of events, with their names */
export function EventTypeFilter({ types, initial }: { types: readonly Choosable[]; initial: Choosable | undefined }) {
  const t = useTranslations();
  const search = async (typed: string) => {
    const words = typed.toLocaleLowerCase().split(/\s+/);
    return types.filter(({ value, label, detail = "" }) => {
      const all = `${label} ${detail} ${value}`.toLocaleLowerCase();
      return words.every((word) => all.includes(word));
    });
  };
  return <FilterPick name="type" label={t("operations.what")} initial={initial} search={search} />;
}

export interface EventPickersProps {
  level: Level;
  /** The organization whose apps and projects are searched. */
  organizationId: string;
  actor: Choosable | undefined;
  object: Choosable | undefined;
  organization: Choosable | undefined;
}

/** The maximum number of results of each kind. */
const MAX_FOUND = 10;

export function EventPickers({ level, organizationId, actor, object, organization }: EventPickersProps) {
  const t = useTranslations();
  const within = organization?.value ?? organizationId;
  const people = (typed: string) => findUsers(typed, level).catch(() => []);
  const anything = async (typed: string): Promise<Choosable[]> => {
    const [found, others] = await Promise.all([people(typed), findAppsAndProjects(typed, within)]);
    const kinds = { app: t("directory.app"), project: t("apps.project") };
    return [...found, ...others.map(({ of, ...one }) => ({ ...one, detail: kinds[of] }))];
  };
  return (
    <>
      <FilterPick name="actor" label={t("history.doneBy")} initial={actor} search={people} />
      <FilterPick isMore name="object" label={t("history.about")} initial={object} search={anything} />
      {level === "instance" && <OrganizationFilter isMore initial={organization} />}
    </>
  );
}

async function findAppsAndProjects(typed: string, organizationId: string) {
  const name = typed.trim();
  const queries = name === "" ? [] : [{ nameQuery: { name, method: CONTAINS } }];
  const request = { organizationId, body: { query: { limit: MAX_FOUND }, queries } };
  const [apps, projects] = await Promise.all([
    callOperation(ListOrganizationApps, request).catch(() => undefined),
    callOperation(ListProjects, request).catch(() => undefined),
  ]);
  const appsFound = apps?.ok ? apps.body.result : [];
  const projectsFound = projects?.ok ? projects.body.result : [];
  return [
    ...appsFound.map((app) => ({ value: app.id, label: app.name, of: "app" as const })),
    ...projectsFound.map((project) => ({ value: project.id, label: project.name, of: "project" as const })),
  ];
}
