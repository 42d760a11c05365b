/** What every attempt of a person has in common, whichever form it comes from. */
import type { Cause, Origin } from "../events/record";
import { deviceName } from "../protocol/device-name";
import type { UserAgent } from "../sessions/user-agent";

export interface Attempt {
  userAgent: UserAgent;
  /** For the audit trail. */
  requestId: string | undefined;
}

/** The attempt as the cause of what it changes. */
export const causeOf = ({ userAgent, requestId }: Attempt): Cause => ({
  requestId,
  address: userAgent.address,
  device: deviceName(userAgent.name ?? ""),
});

/** The origin of what somebody does to their own account. */
export const ownOrigin = (user: { id: string }, attempt: Attempt): Origin => ({ actor: user.id, ...causeOf(attempt) });

/** Characters; what is longer names nobody: a mail address has 64 before the @ and 255 behind it (RFC 5321 §4.5.3.1). */
export const MAX_LOGIN_NAME_LENGTH = 320;
