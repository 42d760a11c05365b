/** What the response of a provider proves, or the check that refused it. */
import type { Claims, ProvenIdentity } from "./identity";

export type ExchangeOutcome =
  /** `claims`: what the provider said, as it did. */
  | { kind: "identity"; identity: ProvenIdentity; claims: Claims; passed: readonly string[] }
  /** The user or the provider declined, with its code (RFC 6749 §4.1.2.1, SAML 2.0 Core §3.2.2.2). */
  | { kind: "denied"; error: string }
  /** A check failed; `detail` names it, without values of the response. */
  | { kind: "failed"; detail: string };

/** Returns the outcome of a check that failed, with those that passed before it. */
export const failedCheck = (check: string, passed: readonly string[], why: string): ExchangeOutcome => ({
  kind: "failed",
  detail: failureLine(check, passed, why),
});

export const failureLine = (check: string, passed: readonly string[], why: string): string =>
  `${check}: ${why}${passedChecks(passed)}`.slice(0, 300);

/** Returns the end of a line that says what happened at a provider. */
export const passedChecks = (passed: readonly string[]): string =>
  passed.length === 0 ? "" : ` (passed: ${passed.join(", ")})`;
