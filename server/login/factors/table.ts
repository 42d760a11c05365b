/** All second factors. */
import { appFactor } from "./app-factor";
import type { CodeChannel, CodeFactor, Factor } from "./factor";
import { mailedFactor } from "./mailed-factor";
import { passkeyFactor } from "./passkey-factor";
import { recoveryFactor } from "./recovery-factor";
import { textedFactor } from "./texted-factor";

/** The factors in the order in which they are offered in a sign-in. */
export const FACTORS: readonly Factor[] = [passkeyFactor, appFactor, mailedFactor, textedFactor, recoveryFactor];

/** The factors in the order in which they are offered for setup: first those that phishing pages cannot steal. */
export const FACTORS_TO_SET_UP: readonly Factor[] = [passkeyFactor, appFactor, mailedFactor, textedFactor];

/** The channels of the factors whose codes are sent. */
export const CHANNELS: readonly CodeChannel[] = FACTORS.flatMap(
  (factor) => (factor.challenge === "code" && factor.channel) || [],
);

/** Returns the factor of a typed code; undefined for any other value. */
export function findCodeFactor(way: string | undefined): CodeFactor | undefined {
  return FACTORS.filter((factor) => factor.challenge === "code").find((factor) => factor.way === way);
}

/** Returns the channel of this factor; undefined for one without and for any other value. */
export function findChannel(way: string | undefined): CodeChannel | undefined {
  return CHANNELS.find(({ kind }) => kind === way);
}
