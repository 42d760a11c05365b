import { messageType } from "./definition";
import { EXPIRY, ONE_TIME_CODE, SERVICE_DOMAIN } from "./variable";

/** A code as second factor, to a phone. No factor asks for one yet, so only trials are sent. */
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
