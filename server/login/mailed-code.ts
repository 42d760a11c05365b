/**
 * Mailed secrets: a link for people who read the mail on this device, a short code for those who read it on another.
 * Both share one row and work once. The link's 256 bits are looked up by digest. The code works only with the flow that
 * requested it, and attempts are counted per code and per account, whether or not there is an account (attack: a
 * million guesses from a thousand addresses).
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { randomCode, randomSecret } from "../crypto/random";
import { comparableCode, shownCode } from "../crypto/typed-code";
import { comparableLoginName } from "../directory/names";
import type { MailedCode } from "../directory/notifications";
import type { MailedFlow } from "../oidc/flow";
import { findOneTimeToken, type NewOneTimeToken, type OneTimeTokenRow } from "../storage/one-time-tokens";
import { counter, countFailures, limits, tally } from "../throttle";

const PAGES = {
  password_reset: "/login/reset-password",
  registration: "/login/verify-email",
  email_verification: "/account/email/confirm",
} as const;
type MailedPurpose = keyof typeof PAGES;

interface Sealed {
  /** MAC of the short code, whose 39 bits could be found by brute force from a plain digest. */
  codeMac: string;
}

export interface NewMailedCode {
  mail: MailedCode;
  row: NewOneTimeToken;
}

/** @param lifetime milliseconds */
export function makeMailedCode(
  ctx: Context,
  purpose: MailedPurpose,
  of: { subjectId: string | null; payload: Record<string, unknown> },
  lifetime: number,
): NewMailedCode {
  const secret = randomSecret();
  const code = randomCode();
  const createdAt = ctx.clock();
  const expiresAt = createdAt + lifetime;
  const challenge = digest(secret);
  const codeMac = codeMacOf(ctx, challenge, code);
  return {
    mail: { code: shownCode(code), path: `${PAGES[purpose]}?token=${secret}`, expiresAt },
    row: { digest: challenge, purpose, ...of, payload: { ...of.payload, codeMac }, createdAt, expiresAt },
  };
}

/** The challenge of a flow for which nothing was sent, indistinguishable from a real one. */
export function challengeOfNothing(): string {
  return digest(randomSecret());
}

/** How a person proves to have read the mail. */
export type Proof = { token: string } | { mailed: Pick<MailedFlow, "challenge" | "to">; code: string };

/** What a form can say about a code that was typed; `blocked`: too many wrong ones. */
export type CodeProblem = "missing" | "wrong" | "blocked";

export type Opened<Payload> =
  | { kind: "open"; row: OneTimeTokenRow<Payload> }
  /** Not the mailed code. */
  | { kind: "wrong" }
  /** Too many wrong codes; epoch milliseconds. */
  | { kind: "blocked"; until: number }
  | { kind: "used"; at: number; row: OneTimeTokenRow<Payload> }
  /** Too old, or not a link of this service. */
  | { kind: "expired" };

/** What the proof opens. It is not consumed here, but a wrong code counts as an attempt. */
export async function openMailedCode<Payload>(ctx: Context, proof: Proof): Promise<Opened<Payload>> {
  if ("token" in proof) {
    const row = proof.token.length > 100 ? undefined : await findOneTimeToken<Payload>(ctx.db, digest(proof.token));
    return row ? stateOf(ctx, row) : { kind: "expired" };
  }
  const { challenge, to } = proof.mailed;
  const counters = [counter(limits.code, challenge), counter(limits.codesOf, comparableLoginName(to))];
  const before = await tally(ctx, counters);
  if (before.blockedUntil !== undefined) return { kind: "blocked", until: before.blockedUntil };
  const row = await findOneTimeToken<Payload & Sealed>(ctx.db, challenge);
  const expected = row?.payload.codeMac ?? challengeOfNothing();
  const matches = isMailedCode(ctx, expected, challenge, comparableCode(proof.code));
  if (row && matches) return stateOf(ctx, row);
  const until = await countFailures(ctx, counters);
  return until === undefined ? { kind: "wrong" } : { kind: "blocked", until };
}

function stateOf<Payload>(ctx: Context, row: OneTimeTokenRow<Payload>): Opened<Payload> {
  if (row.consumedAt !== null) return { kind: "used", at: row.consumedAt, row };
  return row.expiresAt > ctx.clock() ? { kind: "open", row } : { kind: "expired" };
}

/** A MAC, because a plain digest of a short code could be reversed by trying all codes. */
export function codeMacOf(ctx: Context, challenge: string, code: string): string {
  return ctx.secrets.mac("mailed-code", macInput(challenge, code)).toString("base64url");
}

/** Whether `code` has this MAC. */
export function isMailedCode(ctx: Context, codeMac: string, challenge: string, code: string): boolean {
  return ctx.secrets.verifyMac("mailed-code", macInput(challenge, code), Buffer.from(codeMac, "base64url"));
}

function macInput(challenge: string, code: string): Buffer {
  return Buffer.from(`${challenge}:${code}`);
}
