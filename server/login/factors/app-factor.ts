/** An authenticator app as second factor (RFC 6238); set-up-factor.ts adds one. */
import { matchTotp } from "../../crypto/one-time-password";
import { listFactors, takeTimeStep } from "../../storage/factor/second-factors";
import { limits } from "../../throttle";
import type { CodeCheck, CodeFactor } from "./factor";

export const appFactor: CodeFactor = {
  challenge: "code",
  way: "totp",
  isReady: (_, { kinds }) => kinds.has("totp"),
  setUpPage: "app",
  check: checkCode,
  amr: ["otp"],
  tries: limits.factor,
};

/** Checks a code of any of the user's apps, at most one time step early or late. */
async function checkCode(...[ctx, { user }, { code }]: Parameters<CodeCheck>): Promise<boolean> {
  const now = ctx.clock();
  for (const { id, sealedSecret } of await listFactors(ctx.db, user.id)) {
    const secret = sealedSecret === null ? undefined : ctx.secrets.open("second-factor", sealedSecret);
    const timeStep = secret === undefined ? undefined : matchTotp(secret, code, now);
    // RFC 6238 §5.2: "MUST NOT accept the second attempt of the OTP after the successful validation".
    if (timeStep !== undefined && (await takeTimeStep(ctx.db, id, timeStep, now))) return true;
  }
  return false;
}
