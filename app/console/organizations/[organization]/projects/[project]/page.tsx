import { notFound } from "next/navigation";
import type { App } from "../../../../../../components/console/apps/app";
import type { UserGrant } from "../../../../../../components/console/directory/grant";
import { type Member, MemberList } from "../../../../../../components/console/directory/member-list";
import { type ListAnswer, searchFor, searchForAll } from "../../../../../../components/console/list";
import { pageNumber } from "../../../../../../components/console/pager";
import { organizationAddress } from "../../../../../../components/console/pages";
import { GrantTable } from "../../../../../../components/console/projects/grant-table";
import { type Project, type ProjectRole, projectPath } from "../../../../../../components/console/projects/project";
import { ProjectPage, ProjectView } from "../../../../../../components/console/projects/project-page";
import { type PageContext, pageOf } from "../../../../page-of";

const VIEWS = ["project", "grants", "members"] as const;
type View = (typeof VIEWS)[number];
const NEEDED = { project: "project.read", grants: "user.grant.read", members: "project.member.read" } as const;

const { metadata, Page } = pageOf("projects", async (context) => {
  const { viewer, organization, params, search } = context;
  const id = params.project ?? "";
  const [found, permissions] = await Promise.all([
    viewer.call<{ project: Project }>("GET", projectPath(id)),
    viewer.permissionsIn(id),
  ]);
  if (!found.ok) notFound();
  const { project } = found.body;
  const views = VIEWS.filter((name) => permissions.has(NEEDED[name]));
  const view = views.find((name) => name === search.view) ?? "project";
  return (
    <ProjectPage base={organizationAddress(organization.id)} project={project} views={views} view={view}>
      {await viewOf(view, context, project, permissions)}
    </ProjectPage>
  );
});
export const generateMetadata = metadata;
export default Page;

async function viewOf(
  view: View,
  { viewer, organization, search }: PageContext,
  project: Project,
  permissions: PageContext["organization"]["permissions"],
) {
  const base = organizationAddress(organization.id);
  const here = `${base}/projects/${encodeURIComponent(project.id)}`;
  const path = projectPath(project.id);
  const page = pageNumber(search.page);
  const searchUsers = organization.permissions.has("user.read");
  const read = async <Found,>(address: string, body: object) => {
    const answer = await viewer.call<Found>("POST", address, { body });
    if (!answer.ok) notFound(); // removed meanwhile
    return answer.body;
  };
  switch (view) {
    case "project": {
      const [roles, apps] = await Promise.all([
        read<ListAnswer<ProjectRole>>(`${path}/roles/_search`, searchForAll),
        read<ListAnswer<App>>(`${path}/apps/_search`, searchForAll),
      ]);
      const may = {
        ...{ write: permissions.has("project.write"), delete: permissions.has("project.delete") },
        ...{ writeRoles: permissions.has("project.role.write"), deleteRoles: permissions.has("project.role.delete") },
      };
      return <ProjectView {...{ base, project, may }} roles={roles.result ?? []} apps={apps.result ?? []} />;
    }
    case "grants": {
      const body = searchFor(page, [{ projectIdQuery: { projectId: project.id } }]);
      const [list, roles] = await Promise.all([
        read<ListAnswer<UserGrant>>("/management/v1/users/grants/_search", body),
        read<ListAnswer<ProjectRole>>(`${path}/roles/_search`, searchForAll),
      ]);
      const may = { write: permissions.has("user.grant.write"), delete: permissions.has("user.grant.delete") };
      return (
        <GrantTable
          path={here}
          projectId={project.id}
          roles={roles.result ?? []}
          list={list}
          pageNumber={page}
          may={{ ...may, searchUsers }}
        />
      );
    }
    case "members": {
      const [list, roles] = await Promise.all([
        read<ListAnswer<Member>>(`${path}/members/_search`, searchFor(page)),
        read<{ result?: string[] }>("/management/v1/projects/members/roles/_search", {}),
      ]);
      return (
        <MemberList
          of="project"
          path={here}
          query={{ view }}
          operation={`${path}/members`}
          list={list}
          pageNumber={page}
          roles={roles.result ?? []}
          mayWrite={permissions.has("project.member.write")}
          mayDelete={permissions.has("project.member.delete")}
          maySearch={searchUsers}
        />
      );
    }
  }
}
