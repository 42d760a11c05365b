/**
 * A mailed code as second factor: eight digits, valid for five minutes, once, and only in the sign-in that requested
 * it. It is mailed only to the verified address, without a link.
 */
import { randomInt } from "node:crypto";
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import { plainCode } from "../../crypto/typed-code";
import { emailCode } from "../../directory/notifications";
import { recordIn } from "../../events/record";
import { type SignInFlow, sealFlow } from "../../oidc/flow";
import {
  consumeOneTimeToken,
  findOneTimeToken,
  insertOneTimeToken,
  voidOneTimeTokens,
} from "../../storage/one-time-tokens";
import { counter, countFailures, limits, networkOf } from "../../throttle";
import type { Attempt } from "../attempt";
import { RESEND_AFTER } from "../forgot-password";
import { codeMacOf, isMailedCode } from "../mailed-code";
import { awaitedPerson, type CodeCheck } from "./second-factor";

/** Milliseconds. */
const LIFETIME = 5 * 60_000;
const PURPOSE = "second_factor";

export type SendOutcome = { kind: "restart" } | { kind: "too-many" } | { kind: "sent"; flow: string };

/** Mails a code for this sign-in and voids the person's older ones. */
export async function sendFactorCode(
  ctx: Context,
  flow: SignInFlow,
  { userAgent, requestId }: Attempt,
): Promise<SendOutcome> {
  const person = await awaitedPerson(ctx, flow, userAgent);
  if (!person?.ways.includes("email")) return { kind: "restart" };
  const { pending, user } = person;
  const createdAt = ctx.clock();
  if (pending.mailed && createdAt - pending.mailed.sentAt < RESEND_AFTER) {
    const mailed = { ...pending.mailed, note: "too-soon" } as const;
    return { kind: "sent", flow: sealFlow(ctx, { ...flow, pending: { ...pending, mailed } }) };
  }
  const counters = [
    counter(limits.mailsTo, "second-factor", user.id),
    counter(limits.mailsFrom, networkOf(userAgent.address)),
  ];
  if ((await countFailures(ctx, counters)) !== undefined) return { kind: "too-many" };
  const code = String(randomInt(100_000_000)).padStart(8, "0");
  const challenge = digest(randomSecret());
  const expiresAt = createdAt + LIFETIME;
  const codeMac = codeMacOf(ctx, challenge, code);
  await ctx.db.transaction((tx) =>
    recordIn(ctx, tx, {
      type: "user.second_factor.code_requested",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin: { actor: user.id, requestId },
      async state(_, now) {
        await voidOneTimeTokens(tx, PURPOSE, now, user.id);
        const row = { digest: challenge, purpose: PURPOSE, subjectId: user.id, payload: { codeMac } } as const;
        await insertOneTimeToken(tx, { ...row, createdAt, expiresAt });
        return {
          messages: emailCode(ctx, user, { code: `${code.slice(0, 4)} ${code.slice(4)}`, path: "", expiresAt }),
        };
      },
    }),
  );
  const mailed = { challenge, sentAt: createdAt, note: pending.mailed && ("again" as const) };
  return { kind: "sent", flow: sealFlow(ctx, { ...flow, pending: { ...pending, mailed } }) };
}

/** Whether the code is the one mailed for this sign-in; consumes it. */
export const checkMailedFactor: CodeCheck = async (ctx, { user, pending }, { code }) => {
  const row = pending.mailed && (await findOneTimeToken<{ codeMac: string }>(ctx.db, pending.mailed.challenge));
  if (row?.purpose !== PURPOSE || row.subjectId !== user.id) return false;
  const digits = plainCode(code).replace(/\D/g, "");
  if (!isMailedCode(ctx, row.payload.codeMac, row.digest, digits)) return false;
  return ctx.db.transaction((tx) => consumeOneTimeToken(tx, row.digest, PURPOSE, ctx.clock()));
};
