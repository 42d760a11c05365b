/**
 * What mailed links and codes open. Both work once. The link's 256 bits are looked up by digest. The code works only with
 * the flow that requested it, or for the person whom the caller of the API names, and attempts are counted per code and
 * per account, whether or not there is an account (attack: a million guesses from a thousand addresses).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { comparableCode } from "../../crypto/typed-code";
import { findOneTimeToken, type OneTimeTokenRow } from "../../storage/one-time-tokens";
import { counter, countFailures, type Limit, limits, tally } from "../../throttle";
import { comparableLoginName } from "../names";
import { isMailedCode } from "./mailed-code";

interface Sealed {
  /** MAC of the short code, whose 39 bits could be found by brute force from a plain digest. */
  codeMac: string;
}

/** The challenge of a flow for which nothing was sent, indistinguishable from a real one. */
export function challengeOfNothing(): string {
  return digest(randomSecret());
}

/** What a code that is typed was mailed as. */
export interface MailedTo {
  challenge: string;
  /** Whose tries are counted together: the address, or the id of the person if the API names one. */
  to: string;
  /** How often this code may be tried; by default as mailed codes. */
  tries?: Limit;
}

/** How a person proves to have read the mail. */
export type Proof = { token: string } | { mailed: MailedTo; code: string };

/** What a form can say about a code that was typed; `blocked`: too many wrong ones. */
export type CodeProblem = "missing" | "wrong" | "blocked";

export type OpenedMailedCode<Payload> =
  | { kind: "open"; row: OneTimeTokenRow<Payload> }
  /** Not the mailed code. */
  | { kind: "wrong" }
  /** Too many wrong codes; epoch milliseconds. */
  | { kind: "blocked"; until: number }
  | { kind: "used"; at: number; row: OneTimeTokenRow<Payload> }
  /** Too old, or not a link of this service. */
  | { kind: "expired" };

/** What the proof opens. It is not consumed here, but a wrong code counts as an attempt. */
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
