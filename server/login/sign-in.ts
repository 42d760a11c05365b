/**
 * Signing in with login name and password. A wrong password and an unknown user look the same and cost the same
 * (ASVS 6.3.8): the password is always verified, against a decoy where there is no user.
 */
import type { Context } from "../context";
import { verifyPassword } from "../crypto/password-hash";
import { findUserForSignIn } from "../directory/user";
import { requiredOrganization } from "../oidc/admission";
import { type AuthorizeOutcome, clientOfFlow, continueAuthorization } from "../oidc/endpoints/authorize";
import { type SignInError, type SignInFlow, sealFlow } from "../oidc/flow";
import { isError } from "../protocol/oauth-error";
import { authenticate } from "../sessions/session";
import type { UserAgent } from "../sessions/user-agent";

/** Longer input is not a login name or password of anybody; it is refused without work. */
const LONGEST_LOGIN_NAME = 320;
const LONGEST_PASSWORD = 1000;

export interface SignInAttempt {
  loginName: string;
  password: string;
  userAgent: UserAgent;
  requestId: string | undefined;
}

export type SignInOutcome =
  /** Back to the page, which says why; nothing was written. */
  | { kind: "again"; flow: string }
  /** The app the flow was for is gone; there is nowhere to go on to. */
  | { kind: "client-gone" }
  | { kind: "signed-in"; userAgentToken: string; outcome: AuthorizeOutcome };

export async function signIn(ctx: Context, flow: SignInFlow, attempt: SignInAttempt): Promise<SignInOutcome> {
  const client = await clientOfFlow(ctx, flow.request);
  if (!client) return { kind: "client-gone" };
  const loginName = attempt.loginName.trim();
  const again = (error: SignInError): SignInOutcome => ({
    kind: "again",
    flow: sealFlow(ctx, { ...flow, error, loginName: loginName.slice(0, LONGEST_LOGIN_NAME) }),
  });
  if (loginName === "")
    return again(attempt.password === "" ? "missing-login-name-and-password" : "missing-login-name");
  if (attempt.password === "") return again("missing-password");

  const plausible = loginName.length <= LONGEST_LOGIN_NAME && attempt.password.length <= LONGEST_PASSWORD;
  const organizationId = await requiredOrganization(ctx, flow.request.scope);
  // Where no organization fits any more, nobody does; the authorization endpoint says so to the app.
  if (isError(organizationId)) return again("credentials");
  const user = plausible ? await findUserForSignIn(ctx, loginName, { organizationId }) : undefined;
  const matches = await verifyPassword(plausible ? attempt.password : "", user?.passwordHash);
  if (!user || !matches || !user.mayAuthenticate) return again("credentials");

  const { sessionId, userAgentToken } = await authenticate(ctx, attempt.userAgent, user, ["pwd"], attempt.requestId);
  const { error: _, ...rest } = flow;
  const outcome = await continueAuthorization(
    ctx,
    client,
    { ...attempt.userAgent, token: userAgentToken },
    { ...rest, authenticatedSessionId: sessionId },
  );
  return { kind: "signed-in", userAgentToken, outcome };
}
