import { notFound } from "next/navigation";
import { ListProjects } from "../../../../../components/console/generated/operations";
import { CONTAINS, searchFor } from "../../../../../components/console/list";
import { pageNumber } from "../../../../../components/console/pager";
import { organizationAddress } from "../../../../../components/console/pages";
import { ProjectList } from "../../../../../components/console/projects/project-list";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("projects", async ({ viewer, organization, search }) => {
  const page = pageNumber(search.page);
  const name = search.q?.trim();
  const body = searchFor(page, [name && { nameQuery: { name, method: CONTAINS } }]);
  const projects = await viewer.call(ListProjects, { body });
  if (!projects.ok) notFound();
  return (
    <ProjectList
      base={organizationAddress(organization.id)}
      projects={projects.body}
      search={name}
      page={page}
      mayCreate={organization.permissions.has("project.create")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
