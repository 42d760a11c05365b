import { notFound } from "next/navigation";
import { searchFrom } from "../../../components/console/calls/list";
import { RegisteredClientsPage } from "../../../components/console/settings/registered-clients-page";
import { ListRegisteredClients, ListRegistrationTokens } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("registered_clients", async ({ viewer, organization, search }) => {
  const [clients, tokens] = await Promise.all([
    viewer.call(ListRegisteredClients, { body: searchFrom(search.page) }),
    viewer.call(ListRegistrationTokens, { body: {} }),
  ]);
  if (!clients.ok) notFound();
  return (
    <RegisteredClientsPage
      clients={clients.body}
      tokens={tokens.ok ? tokens.body.result : []}
      mayWrite={viewer.permissions.has("iam.policy.write")}
      path={pageAddress("registered_clients", organization.id)}
      isFirstPage={search.page === undefined}
    />
  );
});
export const generateMetadata = metadata;
export default Page;
