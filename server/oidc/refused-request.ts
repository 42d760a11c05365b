/** Notes authorization requests that were refused, for the administrators of the app's organization. */
import type { Context } from "../context";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { noteAttempt } from "../directory/sign-in-attempt/note";
import type { Client } from "../protocol/client";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import type { UserAgent } from "../sessions/user-agent";

export interface RefusedRequest {
  target: { clientId: string };
  /** Undefined if there is none of that id. */
  client: Client | undefined;
  userAgent: UserAgent;
  /** Undefined while nobody is known. */
  person?: { id: string; organizationId: string };
}

/** Notes it; never waits and never throws. */
export function noteRefusal(
  ctx: Context,
  { target: { clientId }, client, userAgent, person }: RefusedRequest,
  reason: AttemptReason,
  detail?: string,
): void {
  // The console is everybody's, not the organization's that it is listed under.
  const flowOrganizationId = clientId === CONSOLE_CLIENT_ID ? undefined : client?.organizationId;
  const organizations = { organizationId: person?.organizationId, flowOrganizationId };
  noteAttempt(ctx, { reason, person, clientId, detail, userAgent, organizations: async () => organizations });
}
