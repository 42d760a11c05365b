/** Invites a user to choose a password, by mail or by a link that the caller passes on. */
import { type OriginContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { findOrganizationName } from "../../storage/organization/organization";
import { deleteQueuedMessages, writeInvited } from "../../storage/user/invitations";
import { consumeOneTimeToken, findValidTokenOf, voidOneTimeTokens } from "../../storage/user/one-time-tokens";
import { type CodeDelivery, checkDelivery } from "../mailed-code/delivery";
import { type FirstLink, makeFirstLink } from "../mailed-code/first-link";
import { countInvitations } from "../mailed-code/mail-limit";
import type { StoredReset } from "../mailed-code/reset-code";
import { noWorkingCode, openTypedCode } from "../mailed-code/typed";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";
import { isForPerson, proveInvitedIn } from "./redeem-reset";
import { findUser } from "./user";

export interface InvitationWanted {
  delivery: CodeDelivery;
  /** The name of the inviting party; by default the organization's. */
  applicationName?: string;
}

/** Makes the link with which a user without a password chooses one. */
export async function invitePerson(
  ctx: OriginContext,
  ref: UserRef,
  { delivery, ...wanted }: InvitationWanted,
): Promise<FirstLink | ApiError> {
  const applicationName = wanted.applicationName ?? (await findOrganizationName(ctx.db, ref.organizationId)) ?? "";
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const { email } = person;
  const refusal = email === null ? undefined : await checkDelivery(ctx, ref, { to: email, delivery });
  if (refusal) return refusal;
  const tooMany = delivery.by === "mail" ? await countInvitations(ctx, ref.organizationId) : undefined;
  if (tooMany) return tooMany;
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, user) => {
    if (user.state !== "active")
      return failedPrecondition("user.not_active", "The user is not active. Activate the account first.");
    if (user.passwordHash !== null) {
      return failedPrecondition("user.already_initialized", "The user has a password already.");
    }
    if (user.email === null)
      return failedPrecondition("user.no_email", "The user has no email address. Add one first.");
    return makeFirstLink(ctx, user, { type: "invite_user", applicationName }, delivery);
  });
}

/** Mails the latest invitation again, with the same settings and a new code. */
export async function inviteAgain(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(person)) return person;
  const last = await findValidTokenOf<StoredReset>(ctx.db, "password_reset", person.id, ctx.clock());
  const { applicationName, urlTemplate } = last?.payload.invitation ?? {};
  if (applicationName === undefined) {
    return failedPrecondition("user.not_invited", "The user has no invitation that still works. Send a new one.");
  }
  const delivery = { by: "mail", urlTemplate } as const;
  const made = await invitePerson(ctx, ref, { delivery, applicationName });
  return isApiError(made) ? made : undefined;
}

/**
 * Consumes the code of an invitation, which verifies the address if it was mailed. The caller, who may set credentials,
 * continues by giving the user some.
 */
export async function acceptInvitation(ctx: OriginContext, ref: UserRef, code: string): Promise<undefined | ApiError> {
  const listed = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(listed)) return listed;
  const row = await openTypedCode<StoredReset>(ctx, "password_reset", listed.id, code);
  if (isApiError(row)) return row;
  const person = await findUser(ctx, listed.id);
  if (!person || !isInvitation(row.payload) || !isForPerson(row.payload, person)) return noWorkingCode();
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, stored) => {
    if (stored.email !== row.payload.email) return noWorkingCode();
    if (!(await consumeOneTimeToken(ctx.tx, row.digest, "password_reset", ctx.clock()))) return noWorkingCode();
    await proveInvitedIn(ctx, stored, row);
    const { id: aggregateId, organizationId: resourceOwner } = stored;
    const type = "user.invitation_accepted";
    await recordIn(ctx, {
      type,
      object: { id: aggregateId, organizationId: resourceOwner },
      async state() {
        await writeInvited(ctx.tx, aggregateId, null);
        return {};
      },
    });
    return undefined;
  });
}

/**
 * Revokes an invitation: its link and code become void, and a queued mail is not sent. The user is kept, without
 * credentials, so that roles and other data are not lost.
 */
export function revokeInvitation(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  return changeUser(ctx, { ...ref, kind: "human" }, async (ctx, user) => {
    if (user.invitedAt === null || user.passwordHash !== null || user.lastSignIn !== "") {
      return failedPrecondition("user.not_pending", "The user has no invitation to revoke.");
    }
    await recordIn(ctx, {
      type: "user.invitation_revoked",
      object: user,
      async state(_, now) {
        await voidOneTimeTokens(ctx.db, ctx.tx, "password_reset", now, user.id);
        await deleteQueuedMessages(ctx.tx, user.id, ["init", "invite_user"]);
        await writeInvited(ctx.tx, user.id, null);
        return {};
      },
    });
    return undefined;
  });
}

/** Returns whether the code belongs to an invitation rather than to a password reset. */
const isInvitation = ({ invitation }: StoredReset): boolean =>
  invitation !== undefined && (invitation.provesEmail || invitation.applicationName !== undefined);
