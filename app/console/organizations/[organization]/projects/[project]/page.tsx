import { notFound } from "next/navigation";
import { searchFor, searchForAll } from "../../../../../../components/console/calls/list";
import { MemberList } from "../../../../../../components/console/directory/member-list";
import { pageNumber } from "../../../../../../components/console/lists/pager";
import { GrantTable } from "../../../../../../components/console/projects/grant-table";
import { OrganizationTable } from "../../../../../../components/console/projects/organization-table";
import type { Project } from "../../../../../../components/console/projects/project";
import { ProjectPage, ProjectView } from "../../../../../../components/console/projects/project-page";
import {
  GetProjectByID,
  ListApps,
  ListProjectGrants,
  ListProjectMemberRoles,
  ListProjectMembers,
  ListProjectRoles,
  ListUserGrants,
} from "../../../../../../shared/generated/operations";
import { organizationAddress } from "../../../../../../shared/pages";
import { found, type PageContext, pageOf } from "../../../../page-of";
import { whoMayBeAdded } from "../../../../who-may-be-added";
import { withHistory } from "../../../../with-history";

const VIEWS = ["project", "grants", "organizations", "members"] as const;
type View = (typeof VIEWS)[number];
const NEEDED = {
  project: "project.read",
  grants: "user.grant.read",
  organizations: "project.grant.read",
  members: "project.member.read",
} as const;

async function nameOfProject(viewer: PageContext["viewer"], { project = "" }: PageContext["params"]) {
  const read = await viewer.call(GetProjectByID, { at: { projectId: project } });
  return read.ok ? read.body.project.name : undefined;
}

async function page(context: PageContext) {
  const { viewer, organization, params, search } = context;
  const projectId = params.project ?? "";
  const [answer, permissions] = await Promise.all([
    viewer.call(GetProjectByID, { at: { projectId } }),
    viewer.permissionsIn(projectId),
  ]);
  if (!answer.ok) notFound();
  const { project } = answer.body;
  const views = VIEWS.filter((name) => permissions.has(NEEDED[name]));
  const view = views.find((name) => name === search.view) ?? "project";
  return withHistory(
    context,
    { object: project.id },
    <ProjectPage base={organizationAddress(organization.id)} project={project} views={views} view={view}>
      {await viewOf(view, context, project, permissions)}
    </ProjectPage>,
  );
}
const { metadata, Page } = pageOf("projects", page, nameOfProject);
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
  const page = pageNumber(search.page);
  const searchUsers = organization.permissions.has("user.read");
  const at = { projectId: project.id };
  switch (view) {
    case "project": {
      const [roles, apps] = await Promise.all([
        found(viewer.call(ListProjectRoles, { at, body: searchForAll })),
        found(viewer.call(ListApps, { at, body: searchForAll })),
      ]);
      const may = {
        ...{ write: permissions.has("project.write"), delete: permissions.has("project.delete") },
        ...{ writeRoles: permissions.has("project.role.write"), deleteRoles: permissions.has("project.role.delete") },
      };
      return <ProjectView {...{ base, project, may }} roles={roles.result} apps={apps.result} />;
    }
    case "grants": {
      const body = searchFor(page, [{ projectIdQuery: { projectId: project.id } }]);
      const [list, roles] = await Promise.all([
        found(viewer.call(ListUserGrants, { body })),
        found(viewer.call(ListProjectRoles, { at, body: searchForAll })),
      ]);
      const may = { write: permissions.has("user.grant.write"), delete: permissions.has("user.grant.delete") };
      return (
        <GrantTable
          path={here}
          projectId={project.id}
          roles={roles.result}
          list={list}
          pageNumber={page}
          may={{ ...may, searchUsers }}
        />
      );
    }
    case "organizations": {
      const [list, roles] = await Promise.all([
        found(viewer.call(ListProjectGrants, { at, body: searchFor(page) })),
        found(viewer.call(ListProjectRoles, { at, body: searchForAll })),
      ]);
      const may = { write: permissions.has("project.grant.write"), delete: permissions.has("project.grant.delete") };
      return (
        <OrganizationTable
          path={here}
          projectId={project.id}
          roles={roles.result}
          list={list}
          pageNumber={page}
          may={may}
        />
      );
    }
    case "members": {
      const [list, roles] = await Promise.all([
        found(viewer.call(ListProjectMembers, { at, body: searchFor(page) })),
        found(viewer.call(ListProjectMemberRoles, { body: {} })),
      ]);
      return (
        <MemberList
          of="project"
          path={here}
          query={{ view }}
          projectId={project.id}
          list={list}
          pageNumber={page}
          roles={roles.result}
          mayWrite={permissions.has("project.member.write")}
          mayDelete={permissions.has("project.member.delete")}
          among={searchUsers ? whoMayBeAdded(viewer, organization) : undefined}
        />
      );
    }
  }
}
