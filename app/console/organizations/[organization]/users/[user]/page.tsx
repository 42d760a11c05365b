import { notFound } from "next/navigation";
import { AttemptsView } from "../../../../../../components/console/attempts/attempts-view";
import { PAGE_SIZE, searchForAll } from "../../../../../../components/console/calls/list";
import { GrantsView } from "../../../../../../components/console/directory/grants-view";
import { MailsView } from "../../../../../../components/console/directory/mails-view";
import { ProfileView } from "../../../../../../components/console/directory/profile-view";
import { SecurityView } from "../../../../../../components/console/directory/security-view";
import { SessionsView } from "../../../../../../components/console/directory/sessions-view";
import { type Human, nameOf, type User } from "../../../../../../components/console/directory/user";
import { UserPage } from "../../../../../../components/console/directory/user-page";
import {
  GetIDPLinks,
  GetUserByID,
  ListAuthenticationMethodTypes,
  ListHumanAuthFactors,
  ListHumanPasswordless,
  ListMessages,
  ListSessions,
  ListSignInAttempts,
  ListUserGrants,
  ListUserTokens,
} from "../../../../../../shared/generated/operations";
import { pageAddress } from "../../../../../../shared/pages";
import { found, type PageContext, pageOf } from "../../../../page-of";
import { withHistory } from "../../../../with-history";

const VIEWS = ["profile", "security", "attempts", "mails", "sessions", "grants"] as const;
const NEEDED = { sessions: "session.read", grants: "user.grant.read" } as const;

async function nameOfUser(viewer: PageContext["viewer"], { user = "" }: PageContext["params"]) {
  const read = await viewer.call(GetUserByID, { at: { userId: user } });
  return read.ok ? nameOf(read.body.user) : undefined;
}

async function page(context: PageContext) {
  const { viewer, organization, params, search } = context;
  const { permissions } = organization;
  const answer = await viewer.call(GetUserByID, { at: { userId: params.user ?? "" } });
  if (!answer.ok || !answer.body.user.human) notFound();
  const { user } = answer.body;
  const views = VIEWS.filter((name) => !(name in NEEDED) || permissions.has(NEEDED[name as keyof typeof NEEDED]));
  const view = views.find((name) => name === search.view) ?? "profile";
  return withHistory(
    context,
    { object: user.id },
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
      {await viewOf(view, context, user, answer.body.user.human)}
    </UserPage>,
  );
}
const { metadata, Page } = pageOf("users", page, nameOfUser);
export const generateMetadata = metadata;
export default Page;

async function viewOf(
  view: (typeof VIEWS)[number],
  { viewer, organization, search }: PageContext,
  user: User,
  human: Human,
) {
  const { permissions } = organization;
  const mayWrite = permissions.has("user.write");
  const at = { userId: user.id };
  const body = { ...searchForAll, queries: [{ userIdQuery: at }] };
  switch (view) {
    case "profile":
      return <ProfileView user={user} human={human} mayWrite={mayWrite} />;
    case "security": {
      const [factors, passkeys, links, methods] = await Promise.all([
        found(viewer.call(ListHumanAuthFactors, { at, body: {} })),
        found(viewer.call(ListHumanPasswordless, { at, body: {} })),
        found(viewer.call(GetIDPLinks, { at })),
        found(viewer.call(ListAuthenticationMethodTypes, { at })),
      ]);
      return (
        <SecurityView
          user={user}
          human={human}
          factors={factors.result}
          passkeys={passkeys.result}
          links={links.result}
          hasRecoveryCodes={methods.authMethodTypes.includes("AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE")}
          mayWrite={mayWrite}
        />
      );
    }
    case "attempts": {
      const query = { limit: PAGE_SIZE, pageToken: search.page };
      const answer = await found(viewer.call(ListSignInAttempts, { body: { userId: user.id, query } }));
      return <AttemptsView user={user} answer={answer} isFirstPage={search.page === undefined} mayWrite={mayWrite} />;
    }
    case "mails": {
      const query = { userId: user.id, limit: String(PAGE_SIZE), pageToken: search.page };
      return (
        <MailsView
          answer={await found(viewer.call(ListMessages, { query }))}
          path={`${pageAddress("users", organization.id)}/${encodeURIComponent(user.id)}`}
          isFirstPage={search.page === undefined}
          mayOpen={viewer.pages.includes("mail")}
          mayRetry={permissions.has("policy.write")}
        />
      );
    }
    case "sessions": {
      const [sessions, tokens] = await Promise.all([
        found(viewer.call(ListSessions, { body })),
        found(viewer.call(ListUserTokens, { at, body: {} })),
      ]);
      const { sessionId: currentSessionId } = viewer.user;
      const mayEnd = permissions.has("session.delete");
      return <SessionsView {...{ user, currentSessionId, mayEnd }} sessions={sessions.result} tokens={tokens.result} />;
    }
    case "grants": {
      const grants = await found(viewer.call(ListUserGrants, { body }));
      const may = { write: permissions.has("user.grant.write"), delete: permissions.has("user.grant.delete") };
      return <GrantsView user={user} grants={grants.result} may={may} />;
    }
  }
}
