/**
 * How long what a client gets is worth something: the client's own setting, else the service's. A refresh token ends
 * when it was not used for long enough, and at last with its grant, however often it was used (RFC 9700 §4.14.2).
 */
import type { Client } from "./client";

/** Milliseconds. */
export type Lifetimes = Required<Client["lifetimes"]>;

/** The client's lifetimes; a setting that is left out or no proper duration falls back to the service's. */
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

/** `expires_in`: whole seconds, never longer than the truth (RFC 6749 §5.1). */
export function expiresIn(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Until when a refresh token works that is issued or rotated at `now`. All epoch milliseconds. */
export function refreshUntil(
  now: number,
  grantExpiresAt: number,
  lifetimes: Pick<Lifetimes, "refreshTokenIdle">,
): number {
  return Math.min(now + lifetimes.refreshTokenIdle, grantExpiresAt);
}
