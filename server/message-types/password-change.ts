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
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "PasswordChange", isCustomText: true },
});
