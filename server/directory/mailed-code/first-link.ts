/**
 * The first password of a user whom an administrator added or invited. Only the user sets it, on the page that a link
 * leads to; using a mailed link also verifies the address. A newer link or a reset voids older links.
 */
import { composeName } from "../../../messages/person-name";
import type { Context } from "../../context";
import type { ChangeContext, Details } from "../../events/record";
import { initialCode } from "../../message-types/init";
import { invitation as invited } from "../../message-types/invite-user";
import type { MailedCode, Recipient } from "../../message-types/message";
import { readOrganization } from "../../storage/organization/organization";
import { writeInvited } from "../../storage/user/invitations";
import { readUser } from "../../storage/user/user";
import { readCodeLifetime } from "../effective-lifetimes";
import { type CodeDelivery, mailFor } from "./delivery";
import { makeMailedCode, storeCode } from "./mailed-code";
import { type Invitation, requestedByNobody } from "./reset-code";

export type FirstEmail = { type: "init" } | { type: "invite_user"; applicationName: string };

/** Returns the name of the person who invites; the organization's for programs and people without a name. */
async function inviterOf({ tx, origin }: ChangeContext, user: Recipient): Promise<string | undefined> {
  const inviter = await readUser(tx, origin.actor);
  const name = inviter?.kind === "human" ? inviter.displayName || composeName(inviter) : "";
  return name || (await readOrganization(tx, user.organizationId))?.name;
}

export interface FirstLink {
  /** The complete URL of the page. */
  link: string;
  /** The secret in it. */
  token: string;
  /** The code that people type instead of following the link. */
  code: string;
  details: Details;
}

/**
 * Makes the link within the caller's transaction.
 * @param delivery whether the link is mailed; otherwise the caller passes it on
 */
export async function makeFirstLink(
  ctx: ChangeContext,
  user: Recipient,
  firstEmail: FirstEmail,
  delivery: CodeDelivery,
): Promise<FirstLink> {
  const email = user.email ?? "";
  const applicationName = firstEmail.type === "invite_user" ? firstEmail.applicationName : undefined;
  const urlTemplate = delivery.by === "mail" ? delivery.urlTemplate : undefined;
  const inviterName = applicationName === undefined ? undefined : await inviterOf(ctx, user);
  const invitation: Invitation = { provesEmail: delivery.by === "mail", applicationName, inviterName, urlTemplate };
  const payload = { email, ...requestedByNobody(ctx), invitation };
  const of = { subjectId: user.id, payload };
  const { mail, row } = makeMailedCode(ctx, "password_reset", of, await readCodeLifetime(ctx, "init"));
  const { toMail, passedOn } = mailFor(ctx, user, mail, delivery);
  const details = await storeCode(ctx, user, [{ ...row, payload: { ...row.payload, passedOn } }], {
    type: firstEmail.type === "init" ? "user.initialization_requested" : "user.invited",
    payload: { email, applicationName },
    messages: toMail ? messagesOf(ctx, user, toMail, invitation) : [],
    also: (now) => writeInvited(ctx.tx, user.id, now),
  });
  const link = `${ctx.config.baseUrl}${mail.path}`;
  return { link, token: new URL(link).searchParams.get("token") ?? "", code: mail.code, details };
}

const messagesOf = (
  ctx: Context,
  user: Recipient,
  mail: MailedCode,
  { applicationName, inviterName }: Pick<Invitation, "applicationName" | "inviterName">,
) =>
  applicationName === undefined
    ? initialCode(ctx, user, mail)
    : invited(ctx, user, { ...mail, applicationName, inviterName });
