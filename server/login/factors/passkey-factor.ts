/** A passkey as second factor; passkey.ts checks its signatures. */
import type { SignatureFactor } from "./factor";

export const passkeyFactor: SignatureFactor = {
  challenge: "signature",
  way: "passkey",
  isReady: (_, { hasPasskeys }) => hasPasskeys,
  setUpPage: "passkey",
};
