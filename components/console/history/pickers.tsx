"use client";
// Fields that select by typing whose events are shown: the actor, the object and, in the log of the service, the
// organization.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListOrganizationApps, ListProjects } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { CONTAINS } from "../calls/list";
import { findUsers } from "../directory/find-users";
import { Choice, type Choosable } from "../forms/choice";
import { findOrganizations } from "../lists/find-organizations";
import type { Level } from "../parts/level";

export interface EventPickersProps {
  level: Level;
  /** The organization whose apps and projects are searched, unless another one is selected. */
  organizationId: string;
  actor: Choosable | undefined;
  object: Choosable | undefined;
  organization: Choosable | undefined;
}

/** The maximum number of results of each kind. */
const MAX_FOUND = 10;

export function EventPickers({ level, organizationId, actor, object, organization }: EventPickersProps) {
  const t = useTranslations();
  const [within, setWithin] = useState(organization?.value ?? organizationId);
  const people = (typed: string) => findUsers(typed, level).catch(() => []);
  const anything = async (typed: string): Promise<Choosable[]> => {
    const [found, others] = await Promise.all([people(typed), findAppsAndProjects(typed, within)]);
    const kinds = { app: t("directory.app"), project: t("apps.project") };
    return [...found, ...others.map(({ of, ...one }) => ({ ...one, detail: kinds[of] }))];
  };
  return (
    <>
      {level === "instance" && (
        <Choice
          name="organization"
          label={t("pages.organization")}
          initial={organization}
          search={async (typed) => {
            const found = await findOrganizations(typed, undefined).catch(() => []);
            return found.map(({ id, name, primaryDomain }) => ({ value: id, label: name, detail: primaryDomain }));
          }}
          onChoose={(chosen) => setWithin(chosen?.value ?? organizationId)}
        />
      )}
      <Choice name="actor" label={t("history.doneBy")} initial={actor} search={people} />
      <Choice name="object" label={t("history.about")} initial={object} search={anything} />
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
