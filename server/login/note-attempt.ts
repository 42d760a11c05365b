/** Records how an attempt ended in a sign-in's flow: its reason, and the organizations that may read it. */
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
import { resolveName } from "./identify";

export interface FlowAttempt {
  reason: AttemptReason;
  person?: { id: string; organizationId: string };
  /** The name as typed. */
  typed?: string;
  detail?: string;
  userAgent: UserAgent;
  /** Whether the attempt was already recorded for another user; it is then not recorded for the app. */
  isRepeated?: boolean;
}

/** Records the attempt; never waits and never throws. */
export function noteInFlow(ctx: Context, flow: SignInFlow, attempt: FlowAttempt): void {
  noteAttempt(ctx, {
    ...attempt,
    clientId: clientIdOfFlow(flow),
    organizations: () => organizationsOf(ctx, flow, attempt),
  });
}

/** Records a second step that came too late, if that is why no user is awaited. */
export async function noteIfLate(ctx: Context, flow: SignInFlow, userAgent: UserAgent): Promise<void> {
  const late = latePendingOf(ctx, flow, userAgent);
  if (late) noteInFlow(ctx, flow, { reason: "code_expired", person: await findUser(ctx, late.userId), userAgent });
}

/** Returns the client of the flow; undefined on our own pages. */
export const clientIdOfFlow = ({ request, device }: SignInFlow): string | undefined =>
  request?.clientId ?? device?.clientId;

/**
 * Returns the organizations of a flow: the one that its scopes name if it applies to the app, else the app's. On the
 * console and our own pages, it is the organization that the typed name would belong to, or none if no name was typed.
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
  const name = isShared && typed !== undefined ? await resolveName(ctx, typed, required) : undefined;
  return {
    organizationId: person?.organizationId ?? required,
    flowOrganizationId: isShared ? (name?.organizationId ?? required) : await organizationOfFlow(ctx, flow, known),
  };
}
