import { messageType } from "./definition";
import { CODE } from "./variable";

/** "Confirm your phone number". No way to send text messages is configured, so nothing sends it. */
export const verifyphone = messageType({
  slug: "verifyphone",
  purpose: "confirm",
  channel: "sms",
  opensBy: "code",
  variables: [CODE],
  given: ["LastPhone"],
  procedures: { name: "VerifyPhone" },
});
