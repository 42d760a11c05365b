/** Records rejected authorization requests for the administrators of the app's organization. */
import type { Context } from "../context";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { noteAttempt } from "../directory/sign-in-attempt/note";
import type { Client } from "../protocol/client";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import type { UserAgent } from "../sessions/user-agent";

export interface RefusedRequest {
  target: { clientId: string };
  /** Undefined if no client has this id. */
  client: Client | undefined;
  userAgent: UserAgent;
  /** Undefined if the user is not known. */
  person?: { id: string; organizationId: string };
}

/** Records the request asynchronously. Never throws. */
export function noteRefusal(
  ctx: Context,
  { target: { clientId }, client, userAgent, person }: RefusedRequest,
  reason: AttemptReason,
  detail?: string,
): void {
  // The console belongs to all organizations, not only to the one it is listed under.
  const flowOrganizationId = clientId === CONSOLE_CLIENT_ID ? undefined : client?.organizationId;
  const organizations = { organizationId: person?.organizationId, flowOrganizationId };
  noteAttempt(ctx, { reason, person, clientId, detail, userAgent, organizations: async () => organizations });
}
