// The projects of an organization; the apps of a project share its roles.
import { useTranslations } from "next-intl";
import { AddProject } from "../../../shared/generated/operations";
import type { ListAnswer } from "../calls/list";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { ListPage } from "../lists/list-page";
import { Pager } from "../lists/pager";
import type { Project } from "./project";

export interface ProjectListProps {
  /** Address of the organization's pages. */
  base: string;
  projects: ListAnswer<Project>;
  search: string | undefined;
  page: number;
  mayCreate: boolean;
  /** The columns that the visitor has shown or hidden. */
  toggled: readonly string[];
}

export function ProjectList({ base, projects, search, page, mayCreate, toggled }: ProjectListProps) {
  const t = useTranslations();
  const path = `${base}/projects`;
  return (
    <ListPage
      title={t("pages.projects")}
      head={
        <>
          <p className="lead">{t("apps.projectsLead")}</p>
          {mayCreate && (
            <FormDialog
              id="add-project"
              label={t("apps.addProject")}
              triggerLook="primary"
              operation={AddProject}
              then={`${path}/{id}`}
            >
              <TextField name="name" label={t("apps.projectName")} required maxLength={200} />
            </FormDialog>
          )}
        </>
      }
      name="projects"
      toggled={toggled}
      path={path}
      search={{ label: t("apps.searchProjects"), value: search }}
      rows={projects.result}
      keyOf={({ id }) => id}
      empty={<p>{search ? t("apps.noneFound") : t("apps.noProjects")}</p>}
      columns={[
        {
          id: "name",
          label: t("apps.projectName"),
          isPlain: true,
          text: ({ name }) => name,
          href: ({ id }) => `${path}/${encodeURIComponent(id)}`,
        },
        { id: "id", label: t("apps.projectId"), choice: "shown", copied: ({ id }) => id },
        {
          id: "state",
          label: t("apps.state"),
          isBadge: true,
          cell: ({ state }) => state !== "PROJECT_STATE_ACTIVE" && <ProjectState state={state} />,
        },
        { id: "created", label: t("apps.created"), choice: "shown", date: ({ details }) => details.creationDate },
      ]}
      pager={<Pager path={path} query={{ q: search }} page={page} total={Number(projects.details.totalResult)} />}
    />
  );
}

export function ProjectState({ state }: Pick<Project, "state">) {
  const t = useTranslations();
  const isActive = state === "PROJECT_STATE_ACTIVE";
  return (
    <span className={isActive ? "state good" : "state bad"}>{isActive ? t("apps.active") : t("apps.inactive")}</span>
  );
}
