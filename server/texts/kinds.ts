/** The types of messages that the service sends, with the names used in addresses and in the bootstrap file. */

export const MESSAGE_TYPES = [
  "init",
  "passwordreset",
  "verifyemail",
  "verifyphone",
  "verifysmsotp",
  "verifyemailotp",
  "domainclaimed",
  "passwordless_registration",
  "password_change",
  "invite_user",
] as const;

export type MessageType = (typeof MESSAGE_TYPES)[number];

export function isMessageType(name: string): name is MessageType {
  return (MESSAGE_TYPES as readonly string[]).includes(name);
}
