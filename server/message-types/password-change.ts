import type { Message } from "../events/record";
import { messageType } from "./definition";
import { messageTo, type Recipient } from "./message";

/** "Your password was changed". Sent when a user's password has been changed (rule MESSAGE-3). */
export const passwordChange = messageType({
  slug: "password_change",
  purpose: "security",
  channel: "mail",
  variables: [],
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "PasswordChange", isCustomText: true },
});

/**
 * After a password was set (directory/user/password.ts), if the notification policy says so. Only to a verified address,
 * since another may be a stranger's.
 */
export function passwordChanged(user: Recipient): Message[] {
  return user.isEmailVerified ? messageTo(passwordChange, user) : [];
}
