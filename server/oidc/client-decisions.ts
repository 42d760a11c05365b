/**
 * The decisions of organizations about apps (rule TRUST-5): which one applies to a client and a user, and making one. A
 * forbidden app loses the grants of the organization's users in the same transaction.
 */
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { checkDecision, deleteDecision, findDecisions, storeDecision } from "../directory/client-decision/decisions";
import { type ChangeContext, type OriginContext, recordIn, UNCHANGED } from "../events/record";
import { type ApiError, isApiError } from "../protocol/api-error";
import type { Client } from "../protocol/client";
import { type ClientDecision, decisionAbout } from "../protocol/client-decision";
import { type DecidedGrant, readClientDecisions, readGrantsOfOrganization } from "../storage/app/client-decisions";
import { revokeGrantRow } from "../storage/grant/ended-grants";

/**
 * Returns what the user's organization decided about a client; undefined if nothing.
 * @param redirectUri that of the request or of the grant; null or undefined for a device
 */
export async function decisionOfOrganization(
  ctx: Context,
  client: Client,
  redirectUri: string | null | undefined,
  person: { organizationId: string },
): Promise<ClientDecision["decision"] | undefined> {
  const decisions = await findDecisions(ctx, person.organizationId);
  return decisionAbout(decisions, client, redirectUri ?? undefined, person);
}

export const isForbidden = async (...of: Parameters<typeof decisionOfOrganization>): Promise<boolean> =>
  (await decisionOfOrganization(...of)) === "forbid";

/** Milliseconds. Long, because forbidding ends the grants of all users. */
const MAX_DURATION = 60_000;

/**
 * Decides about an app, or about the apps of a host, for the users of an organization.
 * @returns the id of the decision
 */
export function decideAboutClient(
  ctx: OriginContext,
  organizationId: string,
  wanted: ClientDecision,
): Promise<string | ApiError> {
  const decide = async (ctx: ChangeContext) => {
    const made = await decideAboutClientIn(ctx, organizationId, wanted);
    return isApiError(made) ? made : made.id;
  };
  return changeDirectory(ctx, decide, { timeout: MAX_DURATION });
}

export async function decideAboutClientIn(
  ctx: ChangeContext,
  organizationId: string,
  wanted: ClientDecision,
): ReturnType<typeof storeDecision> {
  const checked = checkDecision(wanted);
  const made = isApiError(checked) ? checked : await storeDecision(ctx, organizationId, checked);
  if (!isApiError(made) && made.change) await endForbiddenGrants(ctx, organizationId);
  return made;
}

/** Withdraws a decision. That may forbid apps, too, which another decision is about. */
export function withdrawDecision(
  ctx: OriginContext,
  organizationId: string,
  id: string,
): Promise<undefined | ApiError> {
  const withdraw = async (ctx: ChangeContext) => {
    const refusal = await deleteDecision(ctx, organizationId, id);
    if (!refusal) await endForbiddenGrants(ctx, organizationId);
    return refusal;
  };
  return changeDirectory(ctx, withdraw, { timeout: MAX_DURATION });
}

async function endForbiddenGrants(ctx: ChangeContext, organizationId: string): Promise<void> {
  const decisions = await readClientDecisions(ctx.tx, organizationId);
  if (!decisions.some(({ decision }) => decision === "forbid")) return;
  const mustEnd = (grant: DecidedGrant) =>
    decisionAbout(decisions, asClient(grant), grant.redirectUri ?? undefined, { organizationId }) === "forbid";
  for (const grant of await readGrantsOfOrganization(ctx.tx, organizationId, ctx.clock())) {
    if (grant.ownerId === null || !mustEnd(grant)) continue;
    const { id: grantId, userId, clientId } = grant;
    await recordIn(ctx, {
      type: "user.grant.revoked",
      object: { id: userId, organizationId },
      async state(_, now) {
        if (!(await revokeGrantRow(ctx.tx, grantId, now))) return UNCHANGED;
        return { payload: { grantId, clientId, reason: "forbidden by the organization" } };
      },
    });
  }
}

const asClient = ({ clientId, ownerId, origin, isTrusted }: DecidedGrant) => ({
  clientId,
  organizationId: ownerId ?? "",
  origin: origin ?? ("administrator" as const),
  standing: isTrusted ? ("trusted" as const) : ("registered" as const),
});
