import { notFound } from "next/navigation";
import { searchFor, searchForAll } from "../../../../../../components/console/calls/list";
import { MemberList } from "../../../../../../components/console/directory/member-list";
import { pageNumber } from "../../../../../../components/console/lists/pager";
import { GrantTable } from "../../../../../../components/console/projects/grant-table";
import { GrantedPage } from "../../../../../../components/console/projects/granted-page";
import { OrganizationTable } from "../../../../../../components/console/projects/organization-table";
import type { GrantedProject, Project } from "../../../../../../components/console/projects/project";
import { ProjectState } from "../../../../../../components/console/projects/project-list";
import { ProjectPage, ProjectView } from "../../../../../../components/console/projects/project-page";
import {
  GetProjectByID,
  ListApps,
  ListGrantedProjects,
  ListProjectGrantMemberRoles,
  ListProjectGrantMembers,
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
const GRANTED_VIEWS = ["grants", "members"] as const;
const NEEDED_OF_GRANT = { grants: "user.grant.read", members: "project.grant.member.read" } as const;
const NEEDED = {
  project: "project.read",
  grants: "user.grant.read",
  organizations: "project.grant.read",
  members: "project.member.read",
} as const;

async function nameOfProject(viewer: PageContext["viewer"], { project = "" }: PageContext["params"]) {
  const read = await viewer.call(GetProjectByID, { at: { projectId: project } });
  return read.ok ? read.body.project.name : (await grantOf(viewer, project))?.projectName;
}

/** The grant of the project to the organization, if it belongs to another one. */
async function grantOf(viewer: PageContext["viewer"], projectId: string): Promise<GrantedProject | undefined> {
  const read = await viewer.call(ListGrantedProjects, { body: { queries: [{ projectIdQuery: { projectId } }] } });
  return read.ok ? read.body.result[0] : undefined;
}

async function page(context: PageContext) {
  const { viewer, organization, params, search } = context;
  const projectId = params.project ?? "";
  const [answer, permissions] = await Promise.all([
    viewer.call(GetProjectByID, { at: { projectId } }),
    viewer.permissionsIn(projectId),
  ]);
  if (!answer.ok) {
    const grant = await grantOf(viewer, projectId);
    return grant ? grantedPage(context, grant, permissions) : notFound();
  }
  const { project } = answer.body;
  const views = VIEWS.filter((name) => permissions.has(NEEDED[name]));
  const view = views.find((name) => name === search.view) ?? "project";
  return withHistory(
    context,
    { object: project.id },
    <ProjectPage
      base={organizationAddress(organization.id)}
      state={<ProjectState state={project.state} />}
      {...{ project, views, view }}
    >
      {await viewOf(view, context, project, permissions)}
    </ProjectPage>,
  );
}
async function grantedPage(
  { viewer, organization, search }: PageContext,
  grant: GrantedProject,
  permissions: PageContext["organization"]["permissions"],
) {
  const base = organizationAddress(organization.id);
  const { projectId, grantId } = grant;
  const here = `${base}/projects/${encodeURIComponent(projectId)}`;
  const page = pageNumber(search.page);
  const views = GRANTED_VIEWS.filter((name) => permissions.has(NEEDED_OF_GRANT[name]));
  const view = views.find((name) => name === search.view) ?? views[0] ?? "grants";
  const searchUsers = organization.permissions.has("user.read");
  const at = { projectId, grantId };
  const content = {
    grants: async () => {
      const body = searchFor(page, [{ projectIdQuery: { projectId } }]);
      const may = { write: permissions.has("user.grant.write"), delete: permissions.has("user.grant.delete") };
      return (
        <GrantTable
          path={here}
          projectId={projectId}
          projectGrantId={grantId}
          roles={grant.grantedRoleKeys.map((key) => ({ key, displayName: key }))}
          list={await found(viewer.call(ListUserGrants, { body }))}
          pageNumber={page}
          may={{ ...may, searchUsers }}
        />
      );
    },
    members: async () => {
      const [list, roles] = await Promise.all([
        found(viewer.call(ListProjectGrantMembers, { at, body: searchFor(page) })),
        found(viewer.call(ListProjectGrantMemberRoles, { body: {} })),
      ]);
      return (
        <MemberList
          of="projectGrant"
          path={here}
          query={{ view }}
          at={at}
          list={list}
          pageNumber={page}
          roles={roles.result}
          mayWrite={permissions.has("project.grant.member.write")}
          mayDelete={permissions.has("project.grant.member.delete")}
          among={searchUsers ? whoMayBeAdded(viewer, organization) : undefined}
        />
      );
    },
  };
  return <GrantedPage {...{ base, grant, views, view }}>{await content[view]()}</GrantedPage>;
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
          at={at}
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
