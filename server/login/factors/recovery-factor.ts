/** Recovery codes: for when the device with the second factor is lost. They come with the first factor. */
import { useRecoveryCode } from "../../directory/user/recovery-codes";
import { listRecoveryCodes } from "../../storage/second-factors";
import type { CodeFactor } from "./factor";

export const recoveryFactor: CodeFactor = {
  challenge: "code",
  way: "recovery",
  isReady: async (ctx, { user }) => (await listRecoveryCodes(ctx.db, user.id)).length > 0,
  check: (ctx, { user }, { code, requestId }) => useRecoveryCode(ctx, user, code, { actor: user.id, requestId }),
};
