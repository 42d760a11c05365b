/** Whether a user must consent now, by the rules (protocol/consent-required.ts) and by earlier consent. */
import type { Context } from "../context";
import { findProjectOwners } from "../directory/app/target-projects";
import { hasAgreed } from "../directory/user/consent";
import type { Client } from "../protocol/client";
import { needsConfirmation, scopeToConfirm } from "../protocol/consent-required";
import { asksToManage } from "../protocol/management";
import type { Resource } from "../protocol/resource";
import type { SessionRow } from "../storage/session/session";
import { decisionOfOrganization } from "./client-decisions";
import type { ApplicationFlow } from "./flow";
import { askedPermissions, resourcesOf } from "./resources";

/**
 * Whether the user must be asked before the client learns who they are. Not if they have agreed to the same scopes
 * before or their organization allows the client (rule TRUST-5), unless the client requests it (OIDC Core §3.1.2.1,
 * prompt consent), or wants to manage the service on their behalf, which requires consent every time (rule TRUST-2).
 */
export async function awaitsConfirmation(
  ctx: Context,
  client: Client,
  { request, confirmedSessionId }: ApplicationFlow,
  session: SessionRow,
): Promise<boolean> {
  if (confirmedSessionId === session.id) return false;
  const { redirectUri, scope } = request;
  const resources = await resourcesOf(ctx, request);
  const owners = new Map([...(await findProjectOwners(ctx, client, scope)), ...ownersOf(resources)]);
  if (!needsConfirmation(client, { redirectUri, scope, owners, person: session })) return false;
  if (request.prompt.includes("consent") || asksToManage(scope)) return true;
  if ((await decisionOfOrganization(ctx, client, redirectUri, session)) === "allow") return false;
  const permissions = askedPermissions(scopeToConfirm(request), resources);
  return !(await hasAgreed(ctx, { user: session, clientId: client.clientId, scope: permissions }));
}

const ownersOf = (resources: readonly Resource[]) =>
  resources.map(({ project }) => [project.id, project.organizationId] as const);
