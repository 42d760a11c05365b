/**
 * `Continue to <app> as <user>`: asked if the application is native or a third party's. Only a click on our page lets
 * it in (attack: another program's hidden redirect, RFC 8252 §8.6), and only in the session's own browser.
 */
import type { Context } from "../context";
import { keepDocumentClient } from "../directory/app/document-client";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { agreedBefore, rememberConsent } from "../directory/user/consent";
import { listAdmittedSessions } from "../oidc/app-access";
import { errorResponse } from "../oidc/authorization-response";
import { awaitsConfirmation } from "../oidc/consent";
import { clientOfFlow } from "../oidc/endpoints/authorize";
import type { ApplicationFlow, SignInFlow } from "../oidc/flow";
import { endRequest } from "../oidc/pushed-request";
import { askedPermissions, resourcesOf } from "../oidc/resources";
import type { Client } from "../protocol/client";
import { type Disclosure, disclosuresOf, scopeToConfirm } from "../protocol/consent-required";
import { asksToManage, isManagementScope } from "../protocol/management";
import { accessDenied, isError } from "../protocol/oauth-error";
import { relationTo } from "../protocol/trust";
import type { UserAgent } from "../sessions/user-agent";
import type { SessionRow } from "../storage/session/session";
import { continueFlow, type FlowOutcome } from "./continue-flow";
import { noteInFlow } from "./note-attempt";

export interface WaitingApplication {
  flow: ApplicationFlow;
  client: Client;
  session: SessionRow;
  /** The scopes, and the permissions at resources, that the app asks for. */
  permissions: string[];
  /** Those that the user has not agreed to before (rule PAGE-8): fewer only if the app asks for more (RFC 9470). */
  added: string[];
  /** What they let the app learn and do. */
  disclosures: Disclosure[];
}

/**
 * Returns the data of the question; undefined if there is no question (anymore) and the flow determines the next page.
 */
export async function waitingApplication(
  ctx: Context,
  flow: SignInFlow,
  userAgent: UserAgent,
): Promise<WaitingApplication | undefined> {
  const { request, selectedSessionId } = flow;
  const client = request && (await clientOfFlow(ctx, request));
  if (!client || selectedSessionId === undefined) return undefined;
  const sessions = await listAdmittedSessions(ctx, request.scope, userAgent);
  const session = isError(sessions) ? undefined : sessions.find(({ id }) => id === selectedSessionId);
  if (!session || !(await awaitsConfirmation(ctx, client, { ...flow, request }, session))) return undefined;
  const permissions = askedPermissions(scopeToConfirm(request), await resourcesOf(ctx, request));
  const agreed = await agreedBefore(ctx, session.userId, client.clientId);
  const isNew = permissions.filter((one) => !agreed.includes(one));
  // Nothing new: the app asked for the page itself (prompt=consent), or may manage the service.
  const added = isNew.length === 0 || asksToManage(permissions) ? permissions : isNew;
  return {
    flow: { ...flow, request },
    client,
    session,
    permissions,
    added,
    disclosures: disclosuresOf(added, client),
  };
}

/** Stores the decision: consent or denial (RFC 6749 §4.1.2.1: access_denied). */
export async function answerApplication(
  ctx: Context,
  flow: SignInFlow,
  agreed: boolean,
  userAgent: UserAgent,
  requestId: string | undefined,
): Promise<FlowOutcome> {
  if (!agreed) return refuseApplication(ctx, flow, userAgent);
  const waiting = await waitingApplication(ctx, flow, userAgent);
  if (!waiting) return continueFlow(ctx, userAgent, flow);
  const { client, session } = waiting;
  // A scope that is asked every time is not stored; otherwise another consent would cover it.
  const scope = waiting.permissions.filter((one) => !isManagementScope(one));
  await keepDocumentClient(ctx, client); // The consent refers to it.
  const app = { name: client.appName, isForeign: relationTo(client, session) === "foreign" };
  await rememberConsent(ctx, { user: session, clientId: client.clientId, scope }, app, {
    requestId,
    address: userAgent.address,
  });
  return continueFlow(ctx, userAgent, { ...waiting.flow, confirmedSessionId: session.id });
}

/** Denies the request, even if the user has consented in another window. */
async function refuseApplication(ctx: Context, flow: SignInFlow, userAgent: UserAgent): Promise<FlowOutcome> {
  const { request } = flow;
  const client = request && (await clientOfFlow(ctx, request));
  if (!request || !client) return continueFlow(ctx, userAgent, flow);
  const session = (await waitingApplication(ctx, flow, userAgent))?.session;
  const person = session && { id: session.userId, organizationId: session.organizationId };
  noteInFlow(ctx, flow, { reason: "consent_refused", person, userAgent });
  await endRequest(ctx, { ...flow, request });
  return errorResponse(ctx, request, accessDenied("the user denied access"));
}

/** Whether the user can return to an application without signing in. The console would only ask again. */
export const isCancellable = ({ request }: SignInFlow): boolean =>
  request !== undefined && request.clientId !== CONSOLE_CLIENT_ID;

/** Cancels a sign-in: the application gets access_denied (rule PAGE-6). */
export async function cancelSignIn(ctx: Context, flow: SignInFlow, userAgent: UserAgent): Promise<FlowOutcome> {
  const { request } = flow;
  const client = request && (await clientOfFlow(ctx, request));
  if (!request || !client) return continueFlow(ctx, userAgent, flow);
  await endRequest(ctx, { ...flow, request });
  return errorResponse(ctx, request, accessDenied("the user cancelled the sign-in"));
}
