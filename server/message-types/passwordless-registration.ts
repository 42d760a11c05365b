import { messageType } from "./definition";

/** The link with which a passkey is added. Nothing sends it yet. */
export const passwordlessRegistration = messageType({
  slug: "passwordless_registration",
  purpose: "welcome",
  channel: "mail",
  opensBy: "button",
  variables: [],
  given: ["LastEmail", "VerifiedEmail"],
  procedures: { name: "PasswordlessRegistration", isCustomText: true },
});
