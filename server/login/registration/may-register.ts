/**
 * Whether people may create an account where a sign-in leads. Nobody registers at the console, whatever the policy says:
 * it is for people whom somebody gave a role, and an account made there would open an empty console. Nobody registers
 * behind a mailed link either: the link is for somebody who has an account, and any organization can have one made.
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
  if (flow.organizationId !== undefined) return false;
  return (await findPolicy(ctx, "login", organizationId)).allowRegister;
}
