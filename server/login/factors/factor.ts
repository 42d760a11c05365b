/**
 * What a second factor is made of. Each is a file beside this one and a row in table.ts; its names are a row in
 * protocol/second-factor, its words on the pages a row in components/login/factor-texts.
 */
import type { Context } from "../../context";
import type { SignInUser } from "../../directory/user/user";
import type { PendingSignIn } from "../../oidc/flow";
import type { CodeWay, FactorKind, FactorWay, SentKind } from "../../protocol/second-factor";
import type { Limit } from "../../throttle";
import type { Attempt } from "../attempt";

/** What a person has set up. */
export interface Enrolled {
  user: SignInUser;
  kinds: ReadonlySet<FactorKind>;
  hasPasskeys: boolean;
}

/** Somebody whose second factor is awaited. */
export interface AwaitedPerson {
  pending: PendingSignIn;
  user: SignInUser;
  /** Whether a second factor is set up. */
  isProtected: boolean;
  /** What the person can use, in the order in which it is offered. */
  ways: FactorWay[];
}

export interface CodeAttempt extends Attempt {
  way: CodeWay;
  code: string;
}

/** Checks a code and consumes it in one step. `expired`: it was right, but too late. */
export type CodeCheck = (ctx: Context, person: AwaitedPerson, attempt: CodeAttempt) => Promise<boolean | "expired">;

/** A code that is sent for this sign-in. */
export type SentCode = NonNullable<PendingSignIn["mailed"]>;

/** Where somebody can be sent a code. */
export type Reachable = Pick<SignInUser, "email" | "isEmailVerified" | "phone" | "isPhoneVerified">;

/** Where the codes of a factor go. */
export interface CodeChannel {
  kind: SentKind;
  /** Undefined while the person has no verified address or number of this kind. */
  addressOf(user: Reachable): string | undefined;
  /** Whom the message comes from, as the person sees it; undefined where it cannot be said. */
  senderOf(ctx: Context, user: SignInUser): Promise<string | undefined>;
  /** Sends a code for this sign-in and voids the person's older ones. */
  send(ctx: Context, person: AwaitedPerson, attempt: Attempt): Promise<SentCode | "too-many">;
}

interface Usable {
  /** Whether the person can use it now. */
  isReady(ctx: Context, enrolled: Enrolled): boolean | Promise<boolean>;
  /** The page that sets it up, below `/login/mfa/set-up`; undefined: none. One with a channel is set up by a button. */
  setUpPage?: "app" | "passkey";
}

/** Proven by a signature, which the browser makes. */
export interface SignatureFactor extends Usable {
  challenge: "signature";
  way: "passkey";
}

/** Proven by a code that the person types. */
export interface CodeFactor extends Usable {
  challenge: "code";
  way: CodeWay;
  check: CodeCheck;
  /** RFC 8176 §2 values that it proves. */
  amr: readonly string[];
  /** How many codes may be tried in one sign-in. */
  tries: Limit;
  channel?: CodeChannel;
}

export type Factor = SignatureFactor | CodeFactor;
