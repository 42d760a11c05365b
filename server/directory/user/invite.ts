/** Inviting a person to choose a password, by mail or by a link that the caller passes on. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { findOrganizationName } from "../../storage/managed-organizations";
import { findShownUser } from "../../storage/user-list";
import { type FirstLink, makeFirstLink } from "../mailed-code/first-link";
import { countMailTo } from "../mailed-code/mail-limit";
import { changeUser, type UserPlace } from "./change";

/**
 * @param wanted.send whether the link is mailed
 * @param wanted.applicationName who invites; by default the organization
 */
export async function invitePerson(
  ctx: Context,
  place: UserPlace,
  { send, ...wanted }: { send: boolean; applicationName?: string },
  origin: Origin,
): Promise<FirstLink | ApiError> {
  const applicationName = wanted.applicationName ?? (await findOrganizationName(ctx.db, place.organizationId)) ?? "";
  const person = await findShownUser(ctx.db, place.userId);
  const tooMany = send && person?.email ? await countMailTo(ctx, person.email) : undefined;
  if (tooMany) return tooMany;
  return changeUser(ctx, { ...place, kind: "human" }, origin, async (tx, user) => {
    if (user.state !== "active") return failedPrecondition("user.not_active", "The person is not active.");
    if (user.passwordHash !== null) {
      return failedPrecondition("user.already_initialized", "The person has a password already.");
    }
    if (user.email === null) return failedPrecondition("user.no_email", "The person has no mail address.");
    return makeFirstLink(ctx, tx, user, { type: "invite_user", applicationName }, { send, origin });
  });
}
