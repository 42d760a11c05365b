import { notFound } from "next/navigation";
import { KeyList, type WebKey } from "../../../components/console/operations/key-list";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("keys", async ({ viewer }) => {
  const found = await viewer.call<{ webKeys: WebKey[] }>("GET", "/v2/web_keys");
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
