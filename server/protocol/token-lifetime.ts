/**
 * How long tokens are valid: the client's own setting, else the service's. A refresh token ends when it has not been
 * used for long enough, and in any case with its grant (RFC 9700 §4.14.2).
 */
import type { Client } from "./client";

/** Milliseconds. */
export type Lifetimes = Required<Client["lifetimes"]>;

/** The client's lifetimes; a setting that is missing or not a positive duration falls back to the service's. */
export function lifetimesOf(client: Pick<Client, "lifetimes">, defaults: Lifetimes): Lifetimes {
  const { accessToken, idToken, refreshTokenIdle, refreshToken, refreshGrace } = client.lifetimes;
  const pick = (own: number | undefined, fallback: number) =>
    own !== undefined && Number.isFinite(own) && own > 0 ? own : fallback;
  return {
    accessToken: pick(accessToken, defaults.accessToken),
    idToken: pick(idToken, defaults.idToken),
    refreshTokenIdle: pick(refreshTokenIdle, defaults.refreshTokenIdle),
    refreshToken: pick(refreshToken, defaults.refreshToken),
    refreshGrace: refreshGrace === 0 ? 0 : pick(refreshGrace, defaults.refreshGrace), // 0 is strict rotation
  };
}

/** `expires_in`: whole seconds, rounded down (RFC 6749 §5.1). */
export function expiresIn(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** When a refresh token issued or rotated at `now` expires. All epoch milliseconds. */
export function refreshUntil(
  now: number,
  grantExpiresAt: number,
  lifetimes: Pick<Lifetimes, "refreshTokenIdle">,
): number {
  return Math.min(now + lifetimes.refreshTokenIdle, grantExpiresAt);
}
