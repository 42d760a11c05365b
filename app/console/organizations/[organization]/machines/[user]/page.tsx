import { notFound } from "next/navigation";
import type { UserGrant } from "../../../../../../components/console/directory/grant";
import { GrantsView } from "../../../../../../components/console/directory/grants-view";
import {
  AccessTokens,
  type MachineKey,
  MachineKeys,
  type PersonalAccessToken,
} from "../../../../../../components/console/directory/machine-keys";
import { MachineView } from "../../../../../../components/console/directory/machine-view";
import type { User } from "../../../../../../components/console/directory/user";
import { UserPage } from "../../../../../../components/console/directory/user-page";
import { type ListAnswer, searchForAll } from "../../../../../../components/console/list";
import { pageOf } from "../../../../page-of";

const VIEWS = ["machine", "keys", "grants"] as const;

const { metadata, Page } = pageOf("machines", async ({ viewer, organization, params, search }) => {
  const { permissions } = organization;
  const operation = `/management/v1/users/${encodeURIComponent(params.user ?? "")}`;
  const found = await viewer.call<{ user: User }>("GET", operation);
  if (!found.ok || !found.body.user.machine) notFound();
  const { user } = found.body;
  const view = VIEWS.find((name) => name === search.view) ?? "machine";
  const mayWrite = permissions.has("user.write");
  const list = async <Item,>(path: string, queries: object[] = []) => {
    const answer = await viewer.call<ListAnswer<Item>>("POST", path, { body: { ...searchForAll, queries } });
    return answer.ok ? (answer.body.result ?? []) : [];
  };
  const content = {
    machine: async () => user.machine && <MachineView user={user} machine={user.machine} mayWrite={mayWrite} />,
    keys: async () => (
      <>
        <MachineKeys user={user} keys={await list<MachineKey>(`${operation}/keys/_search`)} mayWrite={mayWrite} />
        <AccessTokens
          user={user}
          tokens={await list<PersonalAccessToken>(`${operation}/pats/_search`)}
          mayWrite={mayWrite}
        />
      </>
    ),
    grants: async () => {
      const grants = await list<UserGrant>("/management/v1/users/grants/_search", [
        { userIdQuery: { userId: user.id } },
      ]);
      const may = { write: permissions.has("user.grant.write"), delete: permissions.has("user.grant.delete") };
      return <GrantsView user={user} grants={grants} may={may} />;
    },
  };
  return (
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
    </UserPage>
  );
});
export const generateMetadata = metadata;
export default Page;
