import { notFound } from "next/navigation";
import type { App } from "../../../../../../components/console/apps/app";
import { type ListAnswer, searchForAll } from "../../../../../../components/console/list";
import { organizationAddress } from "../../../../../../components/console/pages";
import { type Project, type ProjectRole, projectPath } from "../../../../../../components/console/projects/project";
import { ProjectPage } from "../../../../../../components/console/projects/project-page";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("projects", async ({ desk, organization, params }) => {
  const path = projectPath(params.project ?? "");
  const whole = { body: searchForAll };
  const [project, roles, apps] = await Promise.all([
    desk.call<{ project: Project }>("GET", path),
    desk.call<ListAnswer<ProjectRole>>("POST", `${path}/roles/_search`, whole),
    desk.call<ListAnswer<App>>("POST", `${path}/apps/_search`, whole),
  ]);
  if (!project.ok) notFound();
  const { permissions } = organization;
  return (
    <ProjectPage
      base={organizationAddress(organization.id)}
      project={project.body.project}
      roles={(roles.ok && roles.body.result) || []}
      apps={(apps.ok && apps.body.result) || []}
      may={{
        write: permissions.has("project.write"),
        delete: permissions.has("project.delete"),
        writeRoles: permissions.has("project.role.write"),
        deleteRoles: permissions.has("project.role.delete"),
      }}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
