import { messageType } from "./definition";

/**
 * "Your password was changed". Sent when a user's password has been changed (rule MESSAGE-3), if the notification policy
 * says so (directory/user/notices.ts).
 */
export const passwordChange = messageType({
  slug: "password_change",
  purpose: "security",
  channel: "mail",
  variables: [],
  landsOn: "/account/security",
  notice: { isDisownable: true },
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "PasswordChange", isCustomText: true },
});
