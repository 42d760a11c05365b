/** The data of every attempt of a user, independent of the form. */
import type { Cause, Origin } from "../events/record";
import { deviceName } from "../protocol/device-name";
import type { UserAgent } from "../sessions/user-agent";

export interface Attempt {
  userAgent: UserAgent;
  /** Recorded in the audit log. */
  requestId: string | undefined;
}

/** Returns the attempt as the cause of its changes. */
export const causeOf = ({ userAgent, requestId }: Attempt): Cause => ({
  requestId,
  address: userAgent.address,
  device: deviceName(userAgent.name ?? ""),
});

/** Returns the origin of a user's changes to their own account. */
export const ownOrigin = (user: { id: string }, attempt: Attempt): Origin => ({ actor: user.id, ...causeOf(attempt) });

/**
 * The maximum in characters; no longer name can exist: an email address has 64 before the @ and 255 after it (RFC 5321
 * §4.5.3.1).
 */
export const MAX_LOGIN_NAME_LENGTH = 320;
