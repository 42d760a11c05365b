/** Recovery codes, for the loss of the device with the second factor. They are created with the first factor. */
import { useRecoveryCode } from "../../directory/user/recovery-codes";
import { listRecoveryCodes } from "../../storage/factor/second-factors";
import { limits } from "../../throttle";
import { ownOrigin } from "../attempt";
import type { CodeFactor } from "./factor";

export const recoveryFactor: CodeFactor = {
  challenge: "code",
  way: "recovery",
  isReady: async (ctx, { user }) => (await listRecoveryCodes(ctx.db, user.id)).length > 0,
  check: (ctx, { user }, attempt) => useRecoveryCode(ctx, user, attempt.code, ownOrigin(user, attempt)),
  amr: ["otp"],
  tries: limits.factor,
};
