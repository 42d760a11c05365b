/** Notes how an attempt ended in a sign-in's flow: what it was for, and whose side of it is whose. */
import type { Context } from "../context";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import type { AttemptOrganizations } from "../directory/sign-in-attempt/batch";
import { noteAttempt } from "../directory/sign-in-attempt/note";
import { findUser } from "../directory/user/user";
import type { SignInFlow } from "../oidc/flow";
import { scopeOf } from "../oidc/flow";
import { relatedOrganization } from "../oidc/named-organization";
import { latePendingOf } from "../oidc/pending-sign-in";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import type { UserAgent } from "../sessions/user-agent";
import { applicationOf, organizationOfFlow } from "./continue-flow";
import { meantName } from "./meant-name";

export interface FlowAttempt {
  reason: AttemptReason;
  person?: { id: string; organizationId: string };
  /** As typed. */
  typed?: string;
  detail?: string;
  userAgent: UserAgent;
  /** Whether it was noted for somebody else already; then it is none of the app's. */
  isRepeated?: boolean;
}

/** Notes it; never waits and never throws. */
export function noteInFlow(ctx: Context, flow: SignInFlow, attempt: FlowAttempt): void {
  noteAttempt(ctx, {
    ...attempt,
    clientId: clientIdOfFlow(flow),
    organizations: () => organizationsOf(ctx, flow, attempt),
  });
}

/** Notes a second step that came too late, if that is why there is nobody to wait for. */
export async function noteIfLate(ctx: Context, flow: SignInFlow, userAgent: UserAgent): Promise<void> {
  const late = latePendingOf(ctx, flow, userAgent);
  if (late) noteInFlow(ctx, flow, { reason: "code_expired", person: await findUser(ctx, late.userId), userAgent });
}

/** The client that the flow is for; undefined on our own pages. */
export const clientIdOfFlow = ({ request, device }: SignInFlow): string | undefined =>
  request?.clientId ?? device?.clientId;

/**
 * Whose flow it is: of the organization that its scopes name if it counts for the app, else the app's. The console and
 * our own pages are everybody's; there it is the organization that the typed name would belong to, and nobody's if none
 * was typed.
 */
async function organizationsOf(
  ctx: Context,
  flow: SignInFlow,
  { person, typed, isRepeated }: FlowAttempt,
): Promise<AttemptOrganizations> {
  if (isRepeated) return { organizationId: person?.organizationId, flowOrganizationId: undefined };
  const application = await applicationOf(ctx, flow);
  const known = application === "gone" ? undefined : application;
  const required = await relatedOrganization(ctx, known, scopeOf(flow));
  const isShared = known === undefined || known.clientId === CONSOLE_CLIENT_ID;
  const meant = isShared && typed !== undefined ? await meantName(ctx, typed, required) : undefined;
  return {
    organizationId: person?.organizationId ?? required,
    flowOrganizationId: isShared ? (meant?.organizationId ?? required) : await organizationOfFlow(ctx, flow, known),
  };
}
