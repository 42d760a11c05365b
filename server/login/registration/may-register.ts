/**
 * Whether users may create an account in a sign-in. Registration is off for the console, in any policy: it is for users
 * who have been granted a role, and a new account would see an empty console. It is also off behind a mailed link: the
 * link is for a user who has an account, and any organization can request one.
 */
import type { Context } from "../../context";
import { findPolicy } from "../../directory/policy/policies";
import { CONSOLE_CLIENT_ID } from "../../directory/reserved-names";
import type { SignInFlow } from "../../oidc/flow";
import { clientIdOfFlow } from "../note-attempt";

/**
 * Whether registration is allowed.
 * @param organizationId the organization that the account would belong to, if any
 */
export async function mayRegister(
  ctx: Context,
  flow: SignInFlow,
  organizationId: string | undefined,
): Promise<boolean> {
  if (clientIdOfFlow(flow) === CONSOLE_CLIENT_ID) return false;
  if (flow.organizationId !== undefined) return false;
  return (await findPolicy(ctx, "login", organizationId)).allowRegister;
}
