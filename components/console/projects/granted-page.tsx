// A project of another organization that is granted to this one: the users who have its roles here, and who gives them.
import { useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";
import { GrantedRoleList, GrantedState } from "./granted-parts";
import type { GrantedProject } from "./project";
import { ProjectPage, type ProjectPageProps } from "./project-page";

export interface GrantedPageProps extends Omit<ProjectPageProps, "project" | "state" | "lead"> {
  grant: GrantedProject;
}

export function GrantedPage({ grant, ...frame }: GrantedPageProps) {
  const t = useTranslations();
  const lead = (
    <p className="lead">
      {t("apps.owner")}: <Name>{grant.projectOwnerName}</Name>. {t("apps.roles")}: <GrantedRoleList grant={grant} />
    </p>
  );
  const project = { id: grant.projectId, name: grant.projectName };
  return <ProjectPage {...frame} {...{ project, lead }} state={<GrantedState grant={grant} />} />;
}
