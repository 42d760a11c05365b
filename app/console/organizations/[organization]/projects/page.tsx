import { notFound } from "next/navigation";
import { CONTAINS, searchFor, searchForAll } from "../../../../../components/console/calls/list";
import { pageNumber } from "../../../../../components/console/lists/pager";
import { GrantedTable } from "../../../../../components/console/projects/granted-table";
import { ProjectList } from "../../../../../components/console/projects/project-list";
import { ListGrantedProjects, ListProjects } from "../../../../../shared/generated/operations";
import { organizationAddress } from "../../../../../shared/pages";
import { pageOf } from "../../../page-of";
import { toggledColumns } from "../../../toggled-columns";

const { metadata, Page } = pageOf("projects", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const name = search.q?.trim();
  const body = searchFor(page, [name && { nameQuery: { name, method: CONTAINS } }]);
  const [projects, granted] = await Promise.all([
    viewer.call(ListProjects, { body }),
    viewer.call(ListGrantedProjects, { body: searchForAll }),
  ]);
  if (!projects.ok) notFound();
  return (
    <>
      <ProjectList
        base={organizationAddress(organization.id)}
        projects={projects.body}
        search={name}
        page={page}
        mayCreate={organization.permissions.has("project.create")}
        toggled={await toggledColumns("projects")}
      />
      <GrantedTable base={organizationAddress(organization.id)} grants={granted.ok ? granted.body.result : []} />
    </>
  );
});
export const generateMetadata = metadata;
export default Page;
