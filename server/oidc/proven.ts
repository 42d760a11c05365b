/** The proofs in a flow that are no session yet: a first factor, or an account at an identity provider. */
import type { SentKind } from "../protocol/second-factor";

/**
 * The result of requesting another mail: sent again, too soon after the last one, or too many in an hour. Counted by
 * the typed address, so that it does not reveal whether there is an account.
 */
export type ResendNote = "again" | "too-soon" | "too-many";

/**
 * A sign-in whose first factor is proven and whose second is not. This is not a session: it is not stored, and cannot
 * be used in another flow, in another browser, or later.
 */
export interface PendingSignIn {
  /** The id of the attempt, by which wrong codes are counted. */
  id: string;
  userId: string;
  /** The methods that were proven so far, as RFC 8176 values. */
  amr: string[];
  /** Epoch milliseconds. */
  at: number;
  /** Digest of the browser's user-agent token. */
  browser: string;
  /** The sign-in at a provider by which it began. */
  providerSession?: string;
  /** The last code that was sent, if any. `kind` is the channel; earlier releases only had mail. */
  mailed?: { kind?: SentKind; challenge: string; sentAt: number; note?: ResendNote };
}

/**
 * The account at an identity provider that the user of this browser has proven, and that no user is linked to: it is
 * linked to the account that they sign in to or create next.
 */
export interface ForeignIdentity {
  providerId: string;
  externalId: string;
  userName: string;
  email?: string;
  isEmailVerified: boolean;
  givenName?: string;
  familyName?: string;
  language?: string;
  /** The sign-in at the provider, by which the session then began. */
  providerSession?: string;
  /** Digest of the browser's user-agent token: in any other browser it is ignored. */
  browser: string;
}
