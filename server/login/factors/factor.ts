/**
 * The interface of second factors. Each is a file in this folder and a row in table.ts; its names are a row in
 * protocol/second-factor, its texts a row in components/login/factor-texts.
 */
import type { Context } from "../../context";
import type { SignInUser } from "../../directory/user/user";
import type { PendingSignIn } from "../../oidc/proven";
import type { CodeWay, FactorKind, FactorWay, SentKind } from "../../protocol/second-factor";
import type { Limit } from "../../throttle";
import type { Attempt } from "../attempt";

/** The factors that a user has set up. */
export interface Enrolled {
  user: SignInUser;
  kinds: ReadonlySet<FactorKind>;
  hasPasskeys: boolean;
}

/** A user whose second factor is awaited. */
export interface AwaitedPerson {
  pending: PendingSignIn;
  user: SignInUser;
  /** Whether a second factor is set up. */
  isProtected: boolean;
  /** The factors that the user can use, in the order in which they are offered. */
  ways: FactorWay[];
}

export interface SendAttempt extends Attempt {
  /** The address of the page where the code is entered, if it is not one of ours. */
  linkOf?(user: SignInUser, code: string): string;
}

export interface CodeAttempt extends Attempt {
  way: CodeWay;
  code: string;
}

/** Checks a code and consumes it in one step. `expired`: it was correct, but too late. */
export type CodeCheck = (ctx: Context, person: AwaitedPerson, attempt: CodeAttempt) => Promise<boolean | "expired">;

/** A code that was sent for this sign-in. */
export type SentCode = NonNullable<PendingSignIn["mailed"]>;

/** The addresses of a user to which codes can be sent. */
export type Reachable = Pick<SignInUser, "email" | "isEmailVerified" | "phone" | "isPhoneVerified">;

/** The channel of a factor's codes. */
export interface CodeChannel {
  kind: SentKind;
  /** Returns the address; undefined while the user has no verified address or number of this kind. */
  addressOf(user: Reachable): string | undefined;
  /** Returns the sender as the user sees it; undefined if it is unknown. */
  senderOf(ctx: Context, user: SignInUser): Promise<string | undefined>;
  /** Sends a code for this sign-in and invalidates the user's older ones. */
  send(ctx: Context, person: AwaitedPerson, attempt: SendAttempt): Promise<SentCode | "too-many">;
}

interface Usable {
  /** Whether the user can use the factor now. */
  isReady(ctx: Context, enrolled: Enrolled): boolean | Promise<boolean>;
  /**
   * The page that sets it up, below `/login/mfa/set-up`; undefined if a button sets it up (with a channel) or nothing
   * does.
   */
  setUpPage?: "app" | "passkey";
}

/** A factor proven by a signature, which the browser creates. */
export interface SignatureFactor extends Usable {
  challenge: "signature";
  way: "passkey";
}

/** A factor proven by a code that the user types. */
export interface CodeFactor extends Usable {
  challenge: "code";
  way: CodeWay;
  check: CodeCheck;
  /** The RFC 8176 §2 values that it proves. */
  amr: readonly string[];
  /** The number of attempts in one sign-in. */
  tries: Limit;
  channel?: CodeChannel;
}

export type Factor = SignatureFactor | CodeFactor;
