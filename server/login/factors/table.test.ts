import { describe, expect, it } from "vitest";
import { sentCodeOf } from "../../oidc/pending-sign-in";
import type { PendingSignIn } from "../../oidc/proven";
import { factorKinds, isSentKind, sentKinds } from "../../protocol/second-factor";
import { CHANNELS, FACTORS, FACTORS_TO_SET_UP, findChannel, findCodeFactor } from "./table";

describe("the table of second factors", () => {
  it("has each kind once, beside passkeys and recovery codes", () => {
    const ways = FACTORS.map(({ way }) => way);
    expect([...ways].sort()).toEqual([...Object.keys(factorKinds), "passkey", "recovery"].sort());
  });

  it("has a set-up for each kind that does not come with another: its own page, or a switch for its codes", () => {
    const offered = FACTORS_TO_SET_UP.map(({ way }) => way);
    expect([...offered].sort()).toEqual([...Object.keys(factorKinds), "passkey"].sort());
    for (const factor of FACTORS_TO_SET_UP) {
      const hasChannel = factor.challenge === "code" && factor.channel !== undefined;
      expect(hasChannel, factor.way).toBe(factor.setUpPage === undefined);
    }
  });

  it("has a channel for each kind whose codes are sent, and for no other", () => {
    expect(CHANNELS.map(({ kind }) => kind).sort()).toEqual([...sentKinds].sort());
    expect(["totp", "email", "passkey", "recovery", "__proto__", undefined].filter(isSentKind)).toEqual(["email"]);
    expect(findChannel("totp")).toBeUndefined();
    expect(findCodeFactor("passkey")).toBeUndefined();
    expect(findCodeFactor("__proto__")).toBeUndefined();
  });
});

describe("a sent code", () => {
  const pending: PendingSignIn = { id: "i", userId: "u", amr: ["pwd"], at: 1, browser: "b" };

  it("belongs to its channel; a code of an earlier release was sent by email", () => {
    const sent = { challenge: "c", sentAt: 1 };
    expect(sentCodeOf(pending, "email")).toBeUndefined();
    expect(sentCodeOf({ ...pending, mailed: sent }, "email")).toEqual(sent);
    expect(sentCodeOf({ ...pending, mailed: { ...sent, kind: "email" } }, "email")).toMatchObject(sent);
  });
});
