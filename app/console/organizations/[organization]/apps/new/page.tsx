import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AppWizard } from "../../../../../../components/console/apps/app-wizard";
import { type ListAnswer, searchForAll } from "../../../../../../components/console/list";
import { organizationAddress } from "../../../../../../components/console/pages";
import type { Project } from "../../../../../../components/console/projects/project";
import { pageOf } from "../../../../page-of";

const { metadata, Page } = pageOf("apps", async ({ desk, organization }) => {
  const t = await getTranslations();
  const projects = await desk.call<ListAnswer<Project>>("POST", "/management/v1/projects/_search", {
    body: searchForAll,
  });
  if (!projects.ok) notFound();
  const base = organizationAddress(organization.id);
  return (
    <>
      <p className="crumb">
        <a href={`${base}/apps`}>{t("pages.apps")}</a>
      </p>
      <h1>{t("apps.add")}</h1>
      <AppWizard
        base={base}
        organizationId={organization.id}
        projects={projects.body.result ?? []}
        mayCreateProject={organization.permissions.has("project.create")}
        mayCreateMachine={organization.permissions.has("user.write")}
      />
    </>
  );
});
export const generateMetadata = metadata;
export default Page;
