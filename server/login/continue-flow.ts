/**
 * How a sign-in continues after a step: the application's request is decided again from the start; without an
 * application, the flow continues with our own page that needed the sign-in.
 */

import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { findInstance } from "../directory/instance";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { findUser } from "../directory/user/user";
import { listAdmittedSessions, requiredOrganization } from "../oidc/app-access";
import { type AuthorizeOutcome, actionScreen, clientOfFlow, continueAuthorization } from "../oidc/endpoints/authorize";
import { type SignInFlow, scopeOf, sealFlow, withoutError } from "../oidc/flow";
import { relatedOrganization } from "../oidc/named-organization";
import { pendingOf } from "../oidc/pending-sign-in";
import { authorizationUrl } from "../protocol/authorization-url";
import type { Client } from "../protocol/client";
import { isError } from "../protocol/oauth-error";
import { decide } from "../protocol/prompt";
import { requiredAction } from "../sessions/required-action";
import { listBrowserSessions } from "../sessions/session";
import type { UserAgent } from "../sessions/user-agent";
import type { SessionRow } from "../storage/session/session";
import type { NameScope } from "../storage/user/sign-in-names";
import { claimForSession } from "./device";
import { isBrowser } from "./requesting-browser";

export type FlowOutcome =
  | AuthorizeOutcome
  /** The app of the flow is gone; the flow cannot continue. */
  | { kind: "client-gone" }
  /** Continues with an account page; `at` is its path and query. */
  | { kind: "account"; sessionId: string; at: string | undefined }
  /** An invited user continues in the app, which starts its own sign-in at this address. */
  | { kind: "landing"; url: string }
  /** No request or page waits for this sign-in. */
  | { kind: "over" };

/** Decides how the flow continues in this browser. */
export async function continueFlow(ctx: Context, userAgent: UserAgent, flow: SignInFlow): Promise<FlowOutcome> {
  const { request } = flow;
  if (request === undefined) return flow.page === undefined ? { kind: "over" } : ownPage(ctx, userAgent, flow);
  const client = await clientOfFlow(ctx, request);
  return client ? continueAuthorization(ctx, client, userAgent, { ...flow, request }) : { kind: "client-gone" };
}

/** Decides like for an application without special parameters. */
async function ownPage(ctx: Context, userAgent: UserAgent, flow: SignInFlow): Promise<FlowOutcome> {
  const { authenticatedSessionId, selectedSessionId, fresh } = flow;
  const sessions = await listAdmittedSessions(ctx, scopeOf(flow), userAgent);
  if (isError(sessions)) return { kind: "over" };
  const prompt = fresh ? (["login"] as const) : [];
  const decision = decide({ prompt, authenticatedSessionId, selectedSessionId }, sessions, ctx.clock());
  switch (decision.kind) {
    case "screen":
      return {
        kind: "screen",
        screen: decision.screen,
        flow: sealFlow(ctx, { ...flow, loginName: flow.loginName ?? decision.hint.loginName }),
      };
    case "proceed": {
      const session = sessions.find(({ id }) => id === decision.sessionId);
      if (!session) return { kind: "over" };
      const { device, page } = flow;
      const missing = page === "change-password" ? page : await requiredAction(ctx, session, "any");
      if (missing) return actionScreen(ctx, withoutError(flow), session, missing, userAgent);
      if (flow.landsAt !== undefined) return { kind: "landing", url: flow.landsAt };
      if (page === "account") return { kind: "account", sessionId: session.id, at: flow.at };
      if (device) await claimForSession(ctx, device, session.id);
      const carried = { ...withoutError(flow), selectedSessionId: session.id };
      return { kind: "screen", screen: "device", flow: sealFlow(ctx, carried) };
    }
    case "error":
      return { kind: "over" };
  }
}

/** Returns the application of a flow; undefined without one, "gone" if it has been changed or deactivated. */
export async function applicationOf(
  ctx: Context,
  { request, device }: SignInFlow,
): Promise<Client | undefined | "gone"> {
  if (request !== undefined) return (await clientOfFlow(ctx, request)) ?? "gone";
  return device && ((await findClient(ctx, device.clientId)) ?? "gone");
}

/**
 * Returns the organization of a flow: the one its scopes name if it applies to the application, else the application's,
 * else that of the user whose link was opened, else the default one. New accounts belong to it. Pages have its words,
 * branding and links until the user is known (`knownOrganization`); for policies see `pagePolicyOwner`.
 */
export async function organizationOfFlow(
  ctx: Context,
  flow: SignInFlow,
  application: Client | undefined,
): Promise<string | undefined> {
  const related = await relatedOrganization(ctx, application, scopeOf(flow));
  const own = related ?? application?.organizationId ?? flow.organizationId;
  return own ?? (await findInstance(ctx)).defaultOrganizationId ?? undefined;
}

/**
 * Returns the user's organization, once a flow has identified the user: by a factor proven in this browser, or by a
 * session of it. From then on, pages have its words, branding and links: otherwise any organization could show its own
 * words to other organizations' users where they enter codes and passwords (rule PAGE-7).
 */
export async function knownOrganization(
  ctx: Context,
  flow: SignInFlow,
  userAgent: UserAgent,
): Promise<string | undefined> {
  const pending = pendingOf(ctx, flow, userAgent);
  if (pending) return (await findUser(ctx, pending.userId))?.organizationId;
  const session = await sessionOfFlow(ctx, flow, userAgent);
  if (session) return session.organizationId;
  const { mailboxOf } = flow;
  return mailboxOf && isBrowser(mailboxOf.browser, userAgent) ? mailboxOf.organizationId : undefined;
}

/** Returns the session that the flow authenticated or selected, if it belongs to this browser. */
export async function sessionOfFlow(
  ctx: Context,
  { authenticatedSessionId, selectedSessionId }: SignInFlow,
  userAgent: UserAgent,
): Promise<SessionRow | undefined> {
  const id = authenticatedSessionId ?? selectedSessionId;
  if (id === undefined) return undefined;
  return (await listBrowserSessions(ctx, userAgent)).find((session) => session.id === id);
}

/**
 * Returns where a typed name is looked up: only in the organization that the scopes require, else first in that of the
 * flow. Undefined if no organization matches, so that no user does either.
 */
export async function nameScopeOf(
  ctx: Context,
  flow: SignInFlow,
  application: Client | undefined,
): Promise<NameScope | undefined> {
  const organizationId = await requiredOrganization(ctx, scopeOf(flow));
  if (isError(organizationId)) return undefined;
  return { organizationId, preferred: await organizationOfFlow(ctx, flow, application) };
}

/**
 * Returns the organization whose login policy applies to a page while the user is unknown: the one the scopes name if
 * it applies to the application, else the application's. The console and the pages without an application are for all
 * users, so the instance's policy applies (undefined), never the default organization's, whose managers would decide
 * how users of all others sign in. Once the user is known, the policy of their own organization applies.
 */
export async function pagePolicyOwner(
  ctx: Context,
  flow: SignInFlow,
  application: Client | undefined,
): Promise<string | undefined> {
  const related = await relatedOrganization(ctx, application, scopeOf(flow));
  if (related !== undefined) return related;
  return application?.clientId === CONSOLE_CLIENT_ID ? undefined : application?.organizationId;
}

/** Returns the address at which to start over: the application's request, or the page that was opened. */
export function startAgainUrl(
  { config: { baseUrl } }: Context,
  { request, page }: Pick<SignInFlow, "request" | "page">,
): string {
  if (request !== undefined) return authorizationUrl(`${baseUrl}/oauth/v2/authorize`, request);
  if (page === "device" || page === "account") return `${baseUrl}/${page}`;
  return page === undefined ? `${baseUrl}/` : `${baseUrl}/login/${page}`;
}
