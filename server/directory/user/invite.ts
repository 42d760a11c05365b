/** Inviting a person to choose a password, by mail or by a link that the caller passes on. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { findOrganizationName } from "../../storage/managed-organizations";
import { checkPassing } from "../mailed-code/check-passing";
import { type FirstLink, makeFirstLink } from "../mailed-code/first-link";
import type { Passing } from "../mailed-code/passing";
import { changeUser, type UserPlace } from "./change";
import { readListedUser } from "./list";

export interface InvitationWanted {
  passing: Passing;
  /** Who invites; by default the organization. */
  applicationName?: string;
}

/** Makes the link by which a person without a password chooses one. */
export async function invitePerson(
  ctx: Context,
  place: UserPlace,
  { passing, ...wanted }: InvitationWanted,
  origin: Origin,
): Promise<FirstLink | ApiError> {
  const applicationName = wanted.applicationName ?? (await findOrganizationName(ctx.db, place.organizationId)) ?? "";
  const person = await readListedUser(ctx, { ...place, kind: "human" });
  if (isApiError(person)) return person;
  const { email } = person;
  const refusal = email === null ? undefined : await checkPassing(ctx, place, { email: { email, passing } }, origin);
  if (refusal) return refusal;
  return changeUser(ctx, { ...place, kind: "human" }, origin, async (tx, user) => {
    if (user.state !== "active") return failedPrecondition("user.not_active", "The person is not active.");
    if (user.passwordHash !== null) {
      return failedPrecondition("user.already_initialized", "The person has a password already.");
    }
    if (user.email === null) return failedPrecondition("user.no_email", "The person has no mail address.");
    return makeFirstLink(ctx, tx, user, { type: "invite_user", applicationName }, { passing, origin });
  });
}
