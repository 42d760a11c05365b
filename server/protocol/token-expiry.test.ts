import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClientLifetimes, expiresIn, type LifetimeRules, lifetimesOf, refreshUntil } from "./token-expiry";

const defaults: ClientLifetimes = { accessToken: 1, idToken: 2, refreshTokenIdle: 3, refreshToken: 4, refreshGrace: 5 };
const DAY = 86_400_000;
const maximum = { accessToken: DAY, idToken: DAY, refreshTokenIdle: DAY, refreshToken: DAY, refreshGrace: 60 };
const rules: LifetimeRules = { ...defaults, maximum };

describe("the lifetimes of a client", () => {
  it("are its own settings if it has any", () => {
    expect(lifetimesOf({ lifetimes: {} }, rules)).toEqual(defaults);
    expect(lifetimesOf({ lifetimes: { accessToken: 60_000 } }, rules)).toEqual({ ...defaults, accessToken: 60_000 });
    const own = { accessToken: 10, idToken: 20, refreshTokenIdle: 30, refreshToken: 40, refreshGrace: 50 };
    expect(lifetimesOf({ lifetimes: own }, rules)).toEqual(own);
  });

  it("accept a grace period of zero as strict rotation, and no other lifetime of zero", () => {
    const own = { accessToken: 0, idToken: -1, refreshTokenIdle: Number.NaN, refreshGrace: 0 };
    expect(lifetimesOf({ lifetimes: own }, rules)).toEqual({ ...defaults, refreshGrace: 0 });
  });

  it("are limited to the service's maximum for every app", () => {
    const ages = 3650 * DAY;
    const own = { accessToken: ages, idToken: ages, refreshTokenIdle: ages, refreshToken: ages, refreshGrace: ages };
    expect(lifetimesOf({ lifetimes: own }, rules)).toEqual(maximum);
  });

  it.each([
    [3_600_000, 3600],
    [1999, 1],
  ])("return %i ms as %i s", (milliseconds, seconds) => {
    expect(expiresIn(milliseconds)).toBe(seconds);
  });

  it("end a refresh token no later than its grant (property, RFC 9700 §4.14.2)", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (now, grantExpiresAt, refreshTokenIdle) => {
        const until = refreshUntil(now, grantExpiresAt, { refreshTokenIdle });
        expect(until).toBeLessThanOrEqual(grantExpiresAt);
        expect(until).toBeLessThanOrEqual(now + refreshTokenIdle);
      }),
    );
  });
});
