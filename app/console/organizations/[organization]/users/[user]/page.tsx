import { notFound } from "next/navigation";
import type { UserGrant } from "../../../../../../components/console/directory/grant";
import { GrantsView } from "../../../../../../components/console/directory/grants-view";
import { ProfileView } from "../../../../../../components/console/directory/profile-view";
import { SecurityView } from "../../../../../../components/console/directory/security-view";
import { SessionsView } from "../../../../../../components/console/directory/sessions-view";
import type { Factor, Human, Passkey, User, UserToken } from "../../../../../../components/console/directory/user";
import { UserPage } from "../../../../../../components/console/directory/user-page";
import { type ListAnswer, searchForAll } from "../../../../../../components/console/list";
import type { ActiveSession } from "../../../../../../components/console/operations/session-list";
import { type PageContext, pageOf } from "../../../../page-of";

const VIEWS = ["profile", "security", "sessions", "grants"] as const;
const NEEDED = { sessions: "session.read", grants: "user.grant.read" } as const;

const { metadata, Page } = pageOf("users", async (context) => {
  const { viewer, organization, params, search } = context;
  const { permissions } = organization;
  const found = await viewer.call<{ user: User }>(
    "GET",
    `/management/v1/users/${encodeURIComponent(params.user ?? "")}`,
  );
  if (!found.ok || !found.body.user.human) notFound();
  const { user } = found.body;
  const views = VIEWS.filter((name) => !(name in NEEDED) || permissions.has(NEEDED[name as keyof typeof NEEDED]));
  const view = views.find((name) => name === search.view) ?? "profile";
  return (
    <UserPage
      user={user}
      page="users"
      organizationId={organization.id}
      views={views}
      view={view}
      mayWrite={permissions.has("user.write")}
      mayDelete={permissions.has("user.delete")}
      isSelf={user.id === viewer.user.userId}
    >
      {await viewOf(view, context, user, found.body.user.human)}
    </UserPage>
  );
});
export const generateMetadata = metadata;
export default Page;

async function viewOf(view: (typeof VIEWS)[number], { viewer, organization }: PageContext, user: User, human: Human) {
  const { permissions } = organization;
  const mayWrite = permissions.has("user.write");
  const list = async <Item,>(path: string, body: object = {}) => {
    const found = await viewer.call<ListAnswer<Item>>("POST", `/management/v1/${path}/_search`, { body });
    if (!found.ok) notFound(); // removed meanwhile
    return found.body.result ?? [];
  };
  const theirs = `users/${encodeURIComponent(user.id)}`;
  const ofUser = { ...searchForAll, queries: [{ userIdQuery: { userId: user.id } }] };
  switch (view) {
    case "profile":
      return <ProfileView user={user} human={human} mayWrite={mayWrite} />;
    case "security": {
      const [factors, passkeys] = await Promise.all([
        list<Factor>(`${theirs}/auth_factors`),
        list<Passkey>(`${theirs}/passwordless`),
      ]);
      return <SecurityView user={user} human={human} factors={factors} passkeys={passkeys} mayWrite={mayWrite} />;
    }
    case "sessions": {
      const [sessions, tokens] = await Promise.all([
        list<ActiveSession>("sessions", ofUser),
        list<UserToken>(`${theirs}/tokens`),
      ]);
      const { sessionId: currentSessionId } = viewer.user;
      const mayEnd = permissions.has("session.delete");
      return <SessionsView {...{ user, sessions, tokens, currentSessionId, mayEnd }} />;
    }
    case "grants": {
      const grants = await list<UserGrant>("users/grants", ofUser);
      const may = { write: permissions.has("user.grant.write"), delete: permissions.has("user.grant.delete") };
      return <GrantsView user={user} grants={grants} may={may} />;
    }
  }
}
