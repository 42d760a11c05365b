import { messageType } from "./definition";
import { EXPIRY, ONE_TIME_CODE, SERVICE_DOMAIN } from "./variable";

/** A code as second factor, to a phone. No way to send text messages is configured, so nothing sends it. */
export const verifysmsotp = messageType({
  slug: "verifysmsotp",
  purpose: "codes",
  channel: "sms",
  hasTextOnly: true,
  opensBy: "code",
  variables: [ONE_TIME_CODE, SERVICE_DOMAIN, EXPIRY],
  given: ["LastPhone", "VerifiedPhone"],
  procedures: { name: "VerifySMSOTP" },
});
