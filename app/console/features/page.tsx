import { notFound } from "next/navigation";
import { FeaturesPage } from "../../../components/console/settings/features-page";
import { pageOf } from "../page-of";

type Flags = Record<string, { enabled?: boolean }>;

const { metadata, Page } = pageOf("features", async ({ viewer }) => {
  const [found, security, restrictions] = await Promise.all([
    viewer.call<Flags>("GET", "/v2/features/instance?inheritance=true"),
    viewer.call<{ settings: { enableImpersonation?: boolean } }>("GET", "/v2/settings/security"),
    viewer.call<{ allowedLanguages: string[] }>("GET", "/admin/v1/restrictions"),
  ]);
  if (!found.ok) notFound();
  const flags = Object.entries(found.body).filter(([, flag]) => typeof flag?.enabled === "boolean");
  return (
    <FeaturesPage
      features={Object.fromEntries(flags.map(([name, { enabled }]) => [name, enabled === true]))}
      enableImpersonation={security.ok ? security.body.settings.enableImpersonation === true : undefined}
      allowedLanguages={restrictions.ok ? restrictions.body.allowedLanguages : undefined}
      mayWriteFeatures={viewer.permissions.has("iam.feature.write")}
      mayWriteSettings={viewer.permissions.has("iam.policy.write")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
