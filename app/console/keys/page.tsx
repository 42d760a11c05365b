import { notFound } from "next/navigation";
import { SigningKeyList } from "../../../components/console/operations/signing-key-list";
import { ListWebKeys } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("keys", async ({ viewer }) => {
  const found = await viewer.call(ListWebKeys);
  if (!found.ok) notFound();
  return (
    <SigningKeyList
      keys={found.body.webKeys}
      jwksUrl={`${viewer.issuer}/oauth/v2/keys`}
      mayRotate={viewer.permissions.has("iam.web_key.write")}
      mayRemove={viewer.permissions.has("iam.web_key.delete")}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
