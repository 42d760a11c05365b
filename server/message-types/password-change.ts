import { messageType } from "./definition";

/**
 * "Your password was changed". Sent after a change of a user's password (rule MESSAGE-3), if the notification policy
 * requires it (directory/user/notices.ts).
 */
export const passwordChange = messageType({
  slug: "password_change",
  purpose: "security",
  channel: "mail",
  variables: [],
  landsOn: "/account/security",
  notice: { isDisownable: true },
  // Every administrator of an organization may set it, also one who has less power than some of its users.
  needsNoPower: true,
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "PasswordChange", isCustomText: true },
});
