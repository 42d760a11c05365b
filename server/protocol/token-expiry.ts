/**
 * Token lifetimes: the client's own setting, else the service's. A refresh token ends when it has not been used for
 * long enough, and in any case with its grant (RFC 9700 §4.14.2).
 */
import type { Client } from "./client";

/** Lifetimes in milliseconds. */
export type ClientLifetimes = Required<Client["lifetimes"]>;

/** The service's defaults for apps, and the maximum that they may set. */
export interface LifetimeRules extends ClientLifetimes {
  readonly maximum: ClientLifetimes;
}

/**
 * Returns the client's lifetimes. A setting that is missing or not a positive duration falls back to the service's. One
 * over the service's maximum counts as the maximum: the owner of an app does not decide how long a lost token is a
 * danger.
 */
export function lifetimesOf(client: Pick<Client, "lifetimes">, rules: LifetimeRules): ClientLifetimes {
  const { accessToken, idToken, refreshTokenIdle, refreshToken, refreshGrace } = client.lifetimes;
  const pick = (own: number | undefined, name: keyof ClientLifetimes) =>
    own !== undefined && Number.isFinite(own) && own > 0 ? Math.min(own, rules.maximum[name]) : rules[name];
  return {
    accessToken: pick(accessToken, "accessToken"),
    idToken: pick(idToken, "idToken"),
    refreshTokenIdle: pick(refreshTokenIdle, "refreshTokenIdle"),
    refreshToken: pick(refreshToken, "refreshToken"),
    refreshGrace: refreshGrace === 0 ? 0 : pick(refreshGrace, "refreshGrace"), // 0 is strict rotation
  };
}

/** Returns `expires_in`: whole seconds, rounded down (RFC 6749 §5.1). */
export function expiresIn(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Returns when a refresh token issued or rotated at `now` expires. All times are epoch milliseconds. */
export function refreshUntil(
  now: number,
  grantExpiresAt: number,
  lifetimes: Pick<ClientLifetimes, "refreshTokenIdle">,
): number {
  return Math.min(now + lifetimes.refreshTokenIdle, grantExpiresAt);
}
