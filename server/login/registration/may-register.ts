/**
 * Whether people may create an account where a sign-in leads. The console is for people somebody gave a role to, so nobody
 * registers there, whatever the policy says; an account made there would open an empty console.
 */
import type { Context } from "../../context";
import { findPolicy } from "../../directory/policy/policies";
import { CONSOLE_CLIENT_ID } from "../../directory/reserved-names";
import type { SignInFlow } from "../../oidc/flow";
import { clientIdOfFlow } from "../note-attempt";

/** @param organizationId the one that the account would belong to; undefined: there is none */
export async function mayRegister(
  ctx: Context,
  flow: SignInFlow,
  organizationId: string | undefined,
): Promise<boolean> {
  if (clientIdOfFlow(flow) === CONSOLE_CLIENT_ID) return false;
  return (await findPolicy(ctx, "login", organizationId)).allowRegister;
}
