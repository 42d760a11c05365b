/**
 * Opens mailed links and codes. Both work once. The 256 bits of the link are looked up by digest. The code works only
 * with the flow that requested it, or for the user whom the API caller names. Attempts are counted per code and per
 * account, whether or not the account exists (attack: a million guesses from a thousand addresses).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { comparableCode } from "../../crypto/normalize-code";
import { randomSecret } from "../../crypto/random";
import { findOneTimeToken, type OneTimeTokenRow } from "../../storage/user/one-time-tokens";
import { counter, countFailures, type Limit, limits, tally } from "../../throttle";
import { comparableLoginName } from "../names";
import { isMailedCode } from "./mailed-code";

interface Sealed {
  /** MAC of the short code, whose 39 bits could be found by brute force from a plain digest. */
  codeMac: string;
}

/** Returns the challenge of a flow for which nothing was sent, indistinguishable from a real one. */
export function challengeOfNothing(): string {
  return digest(randomSecret());
}

/** The mail to which a typed code belongs. */
export interface MailedTo {
  challenge: string;
  /** What attempts are counted by: the address, or the user's id if the API caller names the user. */
  to: string;
  /** The limit of attempts for this code; by default that of mailed codes. */
  tries?: Limit;
}

/** The proof that a person has read the mail. */
export type Proof = { token: string } | { mailed: MailedTo; code: string };

/** The error that a form can show for a typed code; `blocked`: too many wrong ones. */
export type CodeProblem = "missing" | "wrong" | "blocked";

/** What is wrong with the code of a mail. One that was correct, but too old or used, is replaced on the same page. */
export type MailedCodeProblem = CodeProblem | "expired" | "used";

export type OpenedMailedCode<Payload> =
  | { kind: "open"; row: OneTimeTokenRow<Payload> }
  /** The code does not match. */
  | { kind: "wrong" }
  /** Too many wrong codes; epoch milliseconds. */
  | { kind: "blocked"; until: number }
  | { kind: "used"; at: number; row: OneTimeTokenRow<Payload> }
  /** Too old, or not a link of this service. */
  | { kind: "expired" };

/** Opens what the proof belongs to. The row is not consumed here, but a wrong code counts as an attempt. */
export async function openMailedCode<Payload>(ctx: Context, proof: Proof): Promise<OpenedMailedCode<Payload>> {
  if ("token" in proof) {
    const row = proof.token.length > 100 ? undefined : await findOneTimeToken<Payload>(ctx.db, digest(proof.token));
    return row ? stateOf(ctx, row) : { kind: "expired" };
  }
  const { challenge, to, tries = limits.code } = proof.mailed;
  const counters = [counter(tries, challenge), counter(limits.codesOf, comparableLoginName(to))];
  const before = await tally(ctx, counters);
  if (before.blockedUntil !== undefined) return { kind: "blocked", until: before.blockedUntil };
  const row = await findOneTimeToken<Payload & Sealed>(ctx.db, challenge);
  const expected = row?.payload.codeMac ?? challengeOfNothing();
  const matches = isMailedCode(ctx, expected, challenge, comparableCode(proof.code));
  if (row && matches) return stateOf(ctx, row);
  const until = await countFailures(ctx, counters);
  return until === undefined ? { kind: "wrong" } : { kind: "blocked", until };
}

function stateOf<Payload>(ctx: Context, row: OneTimeTokenRow<Payload>): OpenedMailedCode<Payload> {
  if (row.consumedAt !== null) return { kind: "used", at: row.consumedAt, row };
  return row.expiresAt > ctx.clock() ? { kind: "open", row } : { kind: "expired" };
}
