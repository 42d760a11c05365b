/** All second factors. */
import { appFactor } from "./app-factor";
import type { CodeChannel, CodeFactor, Factor } from "./factor";
import { mailedFactor } from "./mailed-factor";
import { passkeyFactor } from "./passkey-factor";
import { recoveryFactor } from "./recovery-factor";
import { textedFactor } from "./texted-factor";

/** In the order in which they are offered in a sign-in. */
export const FACTORS: readonly Factor[] = [passkeyFactor, appFactor, mailedFactor, textedFactor, recoveryFactor];

/** In the order in which they are offered to somebody without any: first what no forged page can steal. */
export const FACTORS_TO_SET_UP: readonly Factor[] = [passkeyFactor, appFactor, mailedFactor, textedFactor];

/** Those whose codes are sent. */
export const CHANNELS: readonly CodeChannel[] = FACTORS.flatMap(
  (factor) => (factor.challenge === "code" && factor.channel) || [],
);

/** The factor by which somebody types a code; undefined for any other word. */
export function findCodeFactor(way: string | undefined): CodeFactor | undefined {
  return FACTORS.filter((factor) => factor.challenge === "code").find((factor) => factor.way === way);
}

/** The channel of this factor; undefined for one without and for any other word. */
export function findChannel(way: string | undefined): CodeChannel | undefined {
  return CHANNELS.find(({ kind }) => kind === way);
}
