/**
 * A flow belongs to the browser that began it. Mails travel further than browsers: whoever asks for a code for somebody
 * else's account has their own request waiting in the flow (attack: the reset link that another one's browser asked for
 * leads its owner, after a new password, into the asker's app, with the asker's state and PKCE challenge). So what a
 * mail is for is stored with a digest of the asking browser's token; a link that is opened in any other browser
 * finishes on pages of the person's own organization, and a code is only taken in the browser that waits for it.
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { type MailedFlow, readSignInFlow, type SignInFlow, type StoredSignInFlow } from "../oidc/flow";
import { newUserAgentToken, type UserAgent, userAgentDigest } from "../sessions/user-agent";

/** Where a mail was asked for, as stored with its code. */
export interface AskedIn {
  /** Where that browser continues afterwards. */
  flow: StoredSignInFlow;
  /** Digest of its token; undefined if no browser asked but an administrator, so that nothing waits in any. */
  browser?: string;
}

/** The token by which the browser is recognized, a new one if it has none; the answer has to set it as the cookie. */
export function recognizableToken(userAgent: UserAgent): string {
  const isKnown = userAgent.token !== undefined && userAgentDigest(userAgent) !== undefined;
  return isKnown && userAgent.token !== undefined ? userAgent.token : newUserAgentToken();
}

/** Whether it is this browser; never one that no browser asked in. */
export function isBrowser(browser: string | undefined, { token }: UserAgent): boolean {
  return browser !== undefined && token !== undefined && digest(token) === browser;
}

/**
 * What a link continues in this browser: the flow that asked for it, or, in any other, nothing but the person's own
 * account.
 * @param organizationId the person's
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

/** The flow as this browser may continue it: the mail that another one waits for is not its own. */
export function flowInBrowser(flow: SignInFlow, userAgent: UserAgent): SignInFlow {
  if (!flow.mailed || isBrowser(flow.mailed.browser, userAgent)) return flow;
  return { ...flow, mailed: undefined };
}

/** What a flow carries of a mailbox that was proven in this browser. @param organizationId that of its person */
export function mailboxIn({ token }: UserAgent, organizationId: string): SignInFlow["mailboxOf"] {
  return token === undefined ? undefined : { organizationId, browser: digest(token) };
}

/** What a flow carries of a mail that was asked for in the browser with this token. */
export function mailedIn(token: string, mailed: Omit<MailedFlow, "browser">): MailedFlow {
  return { ...mailed, browser: digest(token) };
}
