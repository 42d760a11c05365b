import { notFound } from "next/navigation";
import { MachineSnippets } from "../../../../../../components/console/apps/snippet-tabs";
import { searchForAll } from "../../../../../../components/console/calls/list";
import { GrantsView } from "../../../../../../components/console/directory/grants-view";
import { AccessTokens, MachineKeys } from "../../../../../../components/console/directory/machine-keys";
import { MachineView } from "../../../../../../components/console/directory/machine-view";
import { UserPage } from "../../../../../../components/console/directory/user-page";
import {
  GetUserByID,
  ListMachineKeys,
  ListPersonalAccessTokens,
  ListUserGrants,
} from "../../../../../../shared/generated/operations";
import type { Answer } from "../../../../../../shared/refusal";
import { pageOf } from "../../../../page-of";
import { withHistory } from "../../../../with-history";

const VIEWS = ["machine", "keys", "grants"] as const;

const { metadata, Page } = pageOf("machines", async ({ viewer, organization, params, search }) => {
  const { permissions } = organization;
  const at = { userId: params.user ?? "" };
  const found = await viewer.call(GetUserByID, { at });
  if (!found.ok || !found.body.user.machine) notFound();
  const { user } = found.body;
  const view = VIEWS.find((name) => name === search.view) ?? "machine";
  const mayWrite = permissions.has("user.write");
  const listed = async <Item,>(asked: Promise<Answer<{ readonly result: readonly Item[] }>>) => {
    const answer = await asked;
    return answer.ok ? answer.body.result : [];
  };
  const content = {
    machine: async () =>
      user.machine && (
        <>
          <MachineView user={user} machine={user.machine} mayWrite={mayWrite} />
          <MachineSnippets issuer={viewer.issuer} clientId={user.userName} stack={search.stack} />
        </>
      ),
    keys: async () => (
      <>
        <MachineKeys
          user={user}
          keys={await listed(viewer.call(ListMachineKeys, { at, body: searchForAll }))}
          mayWrite={mayWrite}
        />
        <AccessTokens
          user={user}
          tokens={await listed(viewer.call(ListPersonalAccessTokens, { at, body: searchForAll }))}
          mayWrite={mayWrite}
        />
      </>
    ),
    grants: async () => {
      const grants = await listed(
        viewer.call(ListUserGrants, { body: { ...searchForAll, queries: [{ userIdQuery: at }] } }),
      );
      const may = { write: permissions.has("user.grant.write"), delete: permissions.has("user.grant.delete") };
      return <GrantsView user={user} grants={grants} may={may} />;
    },
  };
  return withHistory(
    { viewer, organization },
    { object: user.id },
    <UserPage
      user={user}
      page="machines"
      organizationId={organization.id}
      views={VIEWS}
      view={view}
      mayWrite={mayWrite}
      mayDelete={permissions.has("user.delete")}
      isSelf={false}
    >
      {await content[view]()}
    </UserPage>,
  );
});
export const generateMetadata = metadata;
export default Page;
