/**
 * Selects or ends one of this browser's sessions (rules PAGE-3, AUTHORIZE-6). The selection is decided like any other
 * step: a session too old for the request still has to authenticate.
 */
import type { Context } from "../context";
import { listAdmittedSessions } from "../oidc/app-access";
import { type SignInFlow, scopeOf, sealFlow, withoutError } from "../oidc/flow";
import { isError } from "../protocol/oauth-error";
import { type BrowserSession, hintedSession } from "../protocol/prompt";
import { endSessions } from "../sessions/session";
import type { UserAgent } from "../sessions/user-agent";
import { applicationOf, continueFlow, type FlowOutcome } from "./continue-flow";

export type AccountChoice = { session: string } | { removeSession: string } | { useAnother: true };

export type SelectAccountOutcome =
  | { kind: "client-gone" }
  /** Shows the page again: a session was removed, or the selected one has ended. */
  | { kind: "again"; flow: string }
  /** Signs in with another account; the flow contains nothing of the old one. */
  | { kind: "sign-in"; flow: string }
  | { kind: "chosen"; outcome: FlowOutcome };

export async function selectAccount(
  ctx: Context,
  flow: SignInFlow,
  choice: AccountChoice,
  userAgent: UserAgent,
  requestId: string | undefined,
): Promise<SelectAccountOutcome> {
  if ((await applicationOf(ctx, flow)) === "gone") return { kind: "client-gone" };
  const admitted = await listAdmittedSessions(ctx, scopeOf(flow), userAgent);
  const sessions = isError(admitted) ? [] : admitted;
  if ("useAnother" in choice) {
    const loginName = hintOfNobodyHere(flow, sessions);
    return {
      kind: "sign-in",
      flow: sealFlow(ctx, { ...withoutError(flow), loginName, selectedSessionId: undefined }),
    };
  }
  if ("removeSession" in choice) {
    await endSessions(
      ctx,
      sessions.filter(({ id }) => id === choice.removeSession),
      { requestId, address: userAgent.address },
      "none",
    );
    return { kind: "again", flow: sealFlow(ctx, flow) };
  }
  if (!sessions.some(({ id }) => id === choice.session)) return { kind: "again", flow: sealFlow(ctx, flow) };
  const chosen = { ...withoutError(flow), selectedSessionId: choice.session, loginName: undefined };
  return { kind: "chosen", outcome: await continueFlow(ctx, userAgent, chosen) };
}

/** Rule AUTHORIZE-7; a user who requests another account means none of the listed ones. */
function hintOfNobodyHere({ request }: SignInFlow, sessions: readonly BrowserSession[]): string {
  const loginHint = request?.loginHint;
  return loginHint === undefined || hintedSession({ loginHint }, sessions) ? "" : loginHint;
}
