/**
 * The link "This wasn't me" in a notice. Opening it changes nothing, because programs that scan mails open links; its
 * form does. Its holder reads the user's mail and could request a new password anyway, so it needs no sign-in, which
 * the thief may have made impossible.
 */
import { composeName } from "../../messages/person-name";
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { removeIdentityLinkIn } from "../directory/identity-provider/links";
import { NOT_ME_PURPOSE, type StoredNotMe } from "../directory/mailed-code/not-me-link";
import { openMailedCode } from "../directory/mailed-code/open";
import { mailResetCode, requestedByNobody } from "../directory/mailed-code/reset-code";
import { secureAccountIn } from "../directory/user/secure-account";
import { findUser, type SignInUser } from "../directory/user/user";
import { asSystem, type ChangeContext } from "../events/record";
import { isMessageType, type MessageType } from "../message-types/table";
import type { SignInFlow } from "../oidc/flow";
import { revokingProviderTokens } from "../oidc/revoke-provider-tokens";
import { readIdentityLinksSince } from "../storage/identity-provider/links";
import type { OneTimeTokenRow } from "../storage/user/one-time-tokens";
import { readUser } from "../storage/user/user";
import { counter, countFailures, limits, networkOf } from "../throttle";
import { type Attempt, causeOf } from "./attempt";
import { noteInFlow } from "./note-attempt";

export interface OpenNotMeLink {
  user: SignInUser;
  /** The notice that contains the link. */
  notice: MessageType;
  /** The time of the reported event, in epoch milliseconds. */
  at: number;
  row: OneTimeTokenRow<StoredNotMe>;
  /** The flow that determines the branding of the page. */
  flow: SignInFlow;
}

/** Returns the account of the link, or when the link was used. */
export async function openNotMeLink(
  ctx: Context,
  token: string,
): Promise<OpenNotMeLink | { usedAt: number | undefined }> {
  const opened = await openMailedCode<StoredNotMe>(ctx, { token });
  const isOurs = "row" in opened && opened.row.purpose === NOT_ME_PURPOSE;
  if (!isOurs || opened.kind !== "open") {
    return { usedAt: isOurs && opened.kind === "used" ? opened.at : undefined };
  }
  const { row } = opened;
  const user = row.subjectId === null ? undefined : await findUser(ctx, row.subjectId);
  const { notice, at } = row.payload;
  if (!user || !isMessageType(notice)) return { usedAt: undefined };
  const { organizationId } = user;
  return { user, notice, at, row, flow: { kind: "sign-in", page: "account", organizationId, startedAt: ctx.clock() } };
}

export type SecureOutcome =
  | { kind: "dead"; usedAt?: number }
  /** Too many requests from one network. */
  | { kind: "too-many" }
  /** `isMailed`: a new password can be set by mail; else only an administrator can help. */
  | { kind: "done"; flow: SignInFlow; isMailed: boolean };

/** Secures the account, and mails what is needed to get access again. */
export async function secureAccount(ctx: Context, token: string, attempt: Attempt): Promise<SecureOutcome> {
  const { userAgent, requestId } = attempt;
  if ((await countFailures(ctx, [counter(limits.mailsFrom, networkOf(userAgent.address))])) !== undefined) {
    return { kind: "too-many" };
  }
  const link = await openNotMeLink(ctx, token);
  if ("usedAt" in link) return { kind: "dead", usedAt: link.usedAt };
  const { user, row, flow, notice } = link;
  const who = { name: user.displayName || composeName(user) || user.loginName, loginName: user.loginName };
  const secure = async (ctx: ChangeContext) => {
    const stored = await readUser(ctx.tx, user.id);
    if (!stored || !(await secureAccountIn(ctx, stored, row, who))) return false;
    const added = await readIdentityLinksSince(ctx.tx, stored.id, row.payload.at);
    for (const one of added) {
      await removeIdentityLinkIn(ctx, stored, one);
    }
    return true;
  };
  const done = await revokingProviderTokens(ctx, { userId: user.id }, () =>
    changeDirectory(asSystem(ctx, causeOf(attempt)), secure),
  );
  if (!done) return { kind: "dead", usedAt: ctx.clock() };
  noteInFlow(ctx, flow, { reason: "disowned", person: user, detail: notice, userAgent });
  const owner = await findUser(ctx, user.id); // with the restored address
  const challenge = owner && (await mailResetCode(asSystem(ctx, { requestId }), owner, requestedByNobody(ctx)));
  return { kind: "done", flow, isMailed: challenge !== undefined };
}
