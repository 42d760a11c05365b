/**
 * A flow belongs to the browser that started it. Mails reach other browsers: an attacker who requests a code for
 * another user's account has their own request waiting in the flow (attack: after a new password, the reset link leads
 * its owner into the attacker's app, with the attacker's state and PKCE challenge). So the purpose of a mail is stored
 * with a digest of the requesting browser's token; a link opened in any other browser finishes on pages of the user's
 * own organization, and a code is only accepted in the browser that waits for it.
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { type MailedFlow, readSignInFlow, type SignInFlow, type StoredSignInFlow } from "../oidc/flow";
import { newUserAgentToken, type UserAgent, userAgentDigest } from "../sessions/user-agent";

/** The origin of a request for a mail, as stored with its code. */
export interface AskedIn {
  /** The flow with which that browser continues. */
  flow: StoredSignInFlow;
  /** The digest of its token; undefined if an administrator requested the mail, so that no browser waits. */
  browser?: string;
}

/** Returns the token that identifies the browser, a new one if it has none; the response must set it as the cookie. */
export function recognizableToken(userAgent: UserAgent): string {
  const isKnown = userAgent.token !== undefined && userAgentDigest(userAgent) !== undefined;
  return isKnown && userAgent.token !== undefined ? userAgent.token : newUserAgentToken();
}

/** Whether it is this browser; false if no browser requested the mail. */
export function isBrowser(browser: string | undefined, { token }: UserAgent): boolean {
  return browser !== undefined && token !== undefined && digest(token) === browser;
}

/**
 * Returns the flow of a link in this browser: the flow that requested it, or, in any other browser, only the user's own
 * account.
 * @param organizationId the user's organization
 */
export function flowOfLink(
  ctx: Context,
  { flow, browser }: AskedIn,
  organizationId: string,
  userAgent: UserAgent,
): SignInFlow {
  if (isBrowser(browser, userAgent)) return readSignInFlow(flow);
  return { kind: "sign-in", page: "account", organizationId, startedAt: ctx.clock() };
}

/** Returns the flow as this browser may continue it, without a mail that another browser waits for. */
export function flowInBrowser(flow: SignInFlow, userAgent: UserAgent): SignInFlow {
  if (!flow.mailed || isBrowser(flow.mailed.browser, userAgent)) return flow;
  return { ...flow, mailed: undefined };
}

/**
 * Returns the record of a mailbox that was proven in this browser.
 * @param organizationId the user's organization
 */
export function mailboxIn({ token }: UserAgent, organizationId: string): SignInFlow["mailboxOf"] {
  return token === undefined ? undefined : { organizationId, browser: digest(token) };
}

/** Returns the record of a mail that was requested in the browser with this token. */
export function mailedIn(token: string, mailed: Omit<MailedFlow, "browser">): MailedFlow {
  return { ...mailed, browser: digest(token) };
}
