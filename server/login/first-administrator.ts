/** Signs in a user who has just chosen a password by the setup link, so that nothing has to be typed twice. */
import type { Context } from "../context";
import { completeSetup, type SetupForm, type SetupOutcome } from "../directory/setup/setup";
import type { Attempt } from "./attempt";
import { startSession } from "./complete-sign-in";

export type FirstAdministratorOutcome =
  | Exclude<SetupOutcome, { kind: "done" }>
  /** `userAgentToken`: the new value of the browser's cookie. */
  | { kind: "signed-in"; userAgentToken: string };

/**
 * Creates the administrator and starts their session. If the policy requires a second factor, the console's own sign-in
 * asks for it, as for all users.
 */
export async function setUpAdministrator(
  ctx: Context,
  form: SetupForm,
  attempt: Attempt,
): Promise<FirstAdministratorOutcome> {
  const outcome = await completeSetup(ctx, form);
  if (outcome.kind !== "done") return outcome;
  const user = { id: outcome.userId, organizationId: outcome.organizationId };
  const flow = { kind: "sign-in", startedAt: ctx.clock() } as const;
  const { userAgentToken } = await startSession(ctx, flow, { ...attempt, user, amr: ["pwd"] });
  return { kind: "signed-in", userAgentToken };
}
