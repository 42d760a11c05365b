/** Whoever has just chosen a password by the setup link is signed in with it, and types nothing twice. */
import type { Context } from "../context";
import { completeSetup, type SetupForm, type SetupOutcome } from "../directory/setup/setup";
import type { Attempt } from "./attempt";
import { writeSession } from "./complete-sign-in";

export type FirstAdministratorOutcome =
  | Exclude<SetupOutcome, { kind: "done" }>
  /** `userAgentToken`: the new value of the browser's cookie. */
  | { kind: "signed-in"; userAgentToken: string };

/**
 * Makes the administrator and starts their session. A second factor that the policy demands is asked for by the console's
 * own sign-in, as of everybody.
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
  const { userAgentToken } = await writeSession(ctx, flow, { ...attempt, user, amr: ["pwd"] });
  return { kind: "signed-in", userAgentToken };
}
