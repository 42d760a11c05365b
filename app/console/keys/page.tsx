import { notFound } from "next/navigation";
import { ListWebKeys } from "../../../components/console/generated/operations";
import { KeyList } from "../../../components/console/operations/key-list";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("keys", async ({ viewer }) => {
  const found = await viewer.call(ListWebKeys);
  if (!found.ok) notFound();
  return (
    <KeyList
      keys={[...found.body.webKeys].reverse()}
      jwksUrl={`${viewer.issuer}/oauth/v2/keys`}
      mayRotate={viewer.permissions.has("iam.web_key.write")}
      mayRemove={viewer.permissions.has("iam.web_key.delete")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
