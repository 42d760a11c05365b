/**
 * The first password of somebody an administrator added or invited. Nobody else sets it: they choose it on the page a
 * link leads to, and using a mailed link also verifies the address. A newer link or a reset voids older links.
 */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { insertOneTimeToken, voidOneTimeTokens } from "../../storage/one-time-tokens";
import { initialCode, invitation, type Recipient } from "../notifications";
import { makeMailedCode } from "./mailed-code";
import { requestedByNobody } from "./reset-code";

/** Milliseconds. Long, as people are often invited days before they start. */
const INVITED_FOR = 72 * 3_600_000;

export type FirstEmail = { type: "init" } | { type: "invite_user"; applicationName: string };

export interface FirstLink {
  /** The complete address of the page. */
  link: string;
  /** The secret in it. */
  token: string;
  details: Details;
}

/**
 * Makes the link within the caller's transaction.
 * @param options.send whether the link is mailed; otherwise the caller passes it on
 */
export async function makeFirstLink(
  ctx: Context,
  tx: Transaction,
  user: Recipient,
  letter: FirstEmail,
  { send, origin }: { send: boolean; origin: Origin },
): Promise<FirstLink> {
  const email = user.email ?? "";
  const payload = { email, ...requestedByNobody(ctx), invitation: { provesEmail: send } };
  const of = { subjectId: user.id, payload };
  const { mail, row } = makeMailedCode(ctx, "password_reset", of, INVITED_FOR);
  const details = await recordIn(ctx, tx, {
    type: letter.type === "init" ? "user.initialization_requested" : "user.invited",
    aggregateId: user.id,
    resourceOwner: user.organizationId,
    origin,
    async state(_, now) {
      await voidOneTimeTokens(tx, "password_reset", now, user.id);
      await insertOneTimeToken(tx, row);
      if (letter.type === "init") return { payload: { email }, messages: send ? initialCode(ctx, user, mail) : [] };
      const { applicationName } = letter;
      const messages = send ? invitation(ctx, user, { ...mail, applicationName }) : [];
      return { payload: { email, applicationName }, messages };
    },
  });
  const link = `${ctx.config.baseUrl}${mail.path}`;
  return { link, token: new URL(link).searchParams.get("token") ?? "", details };
}
