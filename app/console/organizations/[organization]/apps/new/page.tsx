import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AppWizard } from "../../../../../../components/console/apps/app-wizard";
import { searchForAll } from "../../../../../../components/console/calls/list";
import { ListProjects } from "../../../../../../shared/generated/operations";
import { organizationAddress } from "../../../../../../shared/pages";
import { mayCreateApp } from "../../../../may-create-app";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("apps", async ({ viewer, organization }) => {
  const t = await getTranslations();
  const [projects, writable] = await Promise.all([
    viewer.call(ListProjects, { body: searchForAll }),
    viewer.projectsWith("project.app.write"),
  ]);
  if (!projects.ok) notFound();
  const { permissions } = organization;
  const may = { createProject: permissions.has("project.create"), createMachine: permissions.has("user.write") };
  const own = projects.body.result.filter(({ id }) => writable?.includes(id) ?? true);
  if (!mayCreateApp(organization)) notFound();
  const base = organizationAddress(organization.id);
  return (
    <>
      <p className="crumb">
        <a href={`${base}/apps`}>{t("pages.apps")}</a>
      </p>
      <h1>{t("apps.add")}</h1>
      <AppWizard
        issuer={viewer.issuer}
        base={base}
        organizationId={organization.id}
        projects={own}
        mayCreateProject={may.createProject}
        mayCreateMachine={may.createMachine}
      />
    </>
  );
});
export const generateMetadata = metadata;
export default Page;
