/**
 * A code that is sent as second factor, through any channel: eight digits, valid for minutes, once, and only in the
 * sign-in that requested it. It is only sent to a verified address.
 */
import { randomInt } from "node:crypto";
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { plainCode } from "../../crypto/normalize-code";
import { randomSecret } from "../../crypto/random";
import { type CodeKind, findCodeLifetime } from "../../directory/effective-lifetimes";
import { codeMacOf, isMailedCode } from "../../directory/mailed-code/mailed-code";
import type { SignInUser } from "../../directory/user/user";
import { type Message, record } from "../../events/record";
import type { MailedCode } from "../../message-types/message";
import { sentCodeOf } from "../../oidc/pending-sign-in";
import type { UserAgent } from "../../sessions/user-agent";
import {
  consumeOneTimeToken,
  findOneTimeToken,
  insertOneTimeToken,
  voidOneTimeTokens,
} from "../../storage/user/one-time-tokens";
import { type Counter, countFailures } from "../../throttle";
import { ownOrigin } from "../attempt";
import { RESEND_AFTER } from "../forgot-password";
import type { CodeChannel, CodeFactor } from "./factor";

const PURPOSE = "second_factor";

/** The properties in which channels differ. */
interface Channel extends Pick<CodeChannel, "kind" | "addressOf" | "senderOf">, Pick<CodeFactor, "amr" | "tries"> {
  /** The kind of lifetime of its codes. */
  lifetime: CodeKind;
  /** Returns the counters that limit codes per user and per network. */
  countersOf(ctx: Context, user: SignInUser, userAgent: UserAgent): Counter[];
  /** Returns the messages that carry the code. */
  messagesOf(ctx: Context, user: SignInUser, code: MailedCode): Message[];
}

/** Returns the factor whose codes use this channel. */
export function sentCodeFactor(channel: Channel): CodeFactor & { channel: CodeChannel } {
  const { kind, addressOf, senderOf, amr, tries } = channel;
  return {
    challenge: "code",
    way: kind,
    amr,
    tries,
    isReady: (_, { user, kinds }) => kinds.has(kind) && addressOf(user) !== undefined,
    channel: { kind, addressOf, senderOf, send: (...given) => send(channel, ...given) },
    async check(ctx, { user, pending }, { code }) {
      const sent = sentCodeOf(pending, kind);
      const row = sent && (await findOneTimeToken<{ codeMac: string }>(ctx.db, sent.challenge));
      if (row?.purpose !== PURPOSE || row.subjectId !== user.id) return false;
      const digits = plainCode(code).replace(/\D/g, "");
      if (!isMailedCode(ctx, row.payload.codeMac, row.digest, digits)) return false;
      if (row.consumedAt === null && row.expiresAt <= ctx.clock()) return "expired";
      return ctx.db.transaction((tx) => consumeOneTimeToken(tx, row.digest, PURPOSE, ctx.clock()));
    },
  };
}

async function send(
  channel: Channel,
  ...[ctx, { pending, user }, { userAgent, requestId, linkOf }]: Parameters<CodeChannel["send"]>
): ReturnType<CodeChannel["send"]> {
  const createdAt = ctx.clock();
  const before = sentCodeOf(pending, channel.kind);
  if (before && createdAt - before.sentAt < RESEND_AFTER) return { ...before, note: "too-soon" };
  if ((await countFailures(ctx, channel.countersOf(ctx, user, userAgent))) !== undefined) return "too-many";
  const code = String(randomInt(100_000_000)).padStart(8, "0");
  const challenge = digest(randomSecret());
  const expiresAt = createdAt + (await findCodeLifetime(ctx, channel.lifetime));
  const codeMac = codeMacOf(ctx, challenge, code);
  await record(
    { ...ctx, origin: ownOrigin(user, { userAgent, requestId }) },
    {
      type: "user.second_factor.code_requested",
      object: user,
      async state({ tx }, now) {
        await voidOneTimeTokens(ctx.db, tx, PURPOSE, now, user.id);
        const row = { digest: challenge, purpose: PURPOSE, subjectId: user.id, payload: { codeMac } } as const;
        await insertOneTimeToken(tx, { ...row, createdAt, expiresAt });
        const shown = {
          code: `${code.slice(0, 4)} ${code.slice(4)}`,
          path: "",
          url: linkOf?.(user, code),
          expiresAt,
        };
        return { messages: channel.messagesOf(ctx, user, shown) };
      },
    },
  );
  return { kind: channel.kind, challenge, sentAt: createdAt, note: before && "again" };
}
