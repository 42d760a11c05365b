/** What every attempt of a person has in common, whichever form it comes from. */
import type { UserAgent } from "../sessions/user-agent";

export interface Attempt {
  userAgent: UserAgent;
  /** For the audit trail. */
  requestId: string | undefined;
}

/** Characters; what is longer names nobody: a mail address has 64 before the @ and 255 behind it (RFC 5321 §4.5.3.1). */
export const MAX_LOGIN_NAME_LENGTH = 320;
