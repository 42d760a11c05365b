import { notFound } from "next/navigation";
import { FeaturesPage } from "../../../components/console/settings/features-page";
import { GetInstanceFeatures, GetRestrictions, GetSecuritySettings } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("features", async ({ viewer }) => {
  const [found, security, restrictions] = await Promise.all([
    viewer.call(GetInstanceFeatures, { query: { inheritance: "true" } }),
    viewer.call(GetSecuritySettings),
    viewer.call(GetRestrictions),
  ]);
  if (!found.ok) notFound();
  const { details: _, ...features } = found.body;
  const flags = Object.entries(features).flatMap(([name, one]) => ("enabled" in one ? [[name, one.enabled]] : []));
  return (
    <FeaturesPage
      features={Object.fromEntries(flags)}
      security={security.ok ? security.body.settings : undefined}
      allowedLanguages={restrictions.ok ? restrictions.body.allowedLanguages : undefined}
      mayWriteFeatures={viewer.permissions.has("iam.feature.write")}
      mayWriteSettings={viewer.permissions.has("iam.policy.write")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
