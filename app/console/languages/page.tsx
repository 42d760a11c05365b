import { notFound } from "next/navigation";
import { LanguagesPage } from "../../../components/console/texts/languages-page";
import { ListLanguageProgress } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("languages", async ({ viewer }) => {
  const found = await viewer.call(ListLanguageProgress);
  if (!found.ok) notFound();
  const first = viewer.messageGroups[0]?.types[0];
  if (first === undefined) notFound();
  return (
    <LanguagesPage
      languages={found.body.languages}
      firstMessage={first}
      mayWrite={viewer.permissions.has("iam.policy.write")}
      mayAdd={viewer.permissions.has("iam.write")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
