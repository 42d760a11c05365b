import { describe, expect, it } from "vitest";
import type { AuthorizationRequest } from "../protocol/authorization-request";
import { readSignInFlow, type SignInFlow, type StoredSignInFlow, withoutTraces } from "./flow";

const asked: AuthorizationRequest = {
  clientId: "web",
  redirectUri: "https://rp.test/cb",
  responseType: "code",
  responseMode: "query",
  scope: ["openid"],
  prompt: [],
  uiLocales: [],
  acrValues: [],
};
const device = { id: "d", clientId: "tv", scope: ["openid"], userCode: "ABCD-EFGH" };
const began = { kind: "sign-in", startedAt: 1 } as const;
const steps = { loginName: "ada", authenticatedSessionId: "s", selectedSessionId: "t", done: "account-ready" } as const;

/** Returns the flow without members that are undefined, as it is stored. */
const stored = (flow: object) => JSON.parse(JSON.stringify(flow)) as StoredSignInFlow;

describe("a stored flow (releases that run side by side)", () => {
  it.each<[string, SignInFlow]>([
    ["of an application", { ...began, ...steps, request: asked, hintedUserId: "u", confirmedSessionId: "s" }],
    ["of a device", { ...began, ...steps, page: "device", device }],
    ["of the page for a new password", { ...began, ...steps, page: "change-password" }],
    ["of an account's page", { ...began, page: "account", at: "/account/apps", fresh: true, organizationId: "o" }],
    ["without destination", { ...began, ...steps }],
    ["after a rejected attempt", { ...began, error: "credentials" }],
    ["after too many attempts", { ...began, request: asked, error: "throttled", retryAt: 9 }],
  ])("%s is read as it was written", (_, flow) => {
    expect(stored(readSignInFlow(stored(flow)))).toEqual(stored(flow));
  });

  it("loses members that do not belong together", () => {
    const mixed = { ...began, request: asked, page: "account", at: "/account", fresh: true, device } as const;
    expect(stored(readSignInFlow(mixed))).toEqual({ ...began, request: asked });
    expect(stored(readSignInFlow({ ...began, page: "device", hintedUserId: "u" }))).toEqual(began);
    expect(stored(readSignInFlow({ ...began, error: "busy", retryAt: 9 }))).toEqual({ ...began, error: "busy" });
    expect(stored(readSignInFlow({ ...began, retryAt: 9 }))).toEqual(began);
  });

  it("begins again without what was typed or attempted in it", () => {
    const flow: SignInFlow = { ...began, ...steps, request: asked, hintedUserId: "u", error: "credentials" };
    expect(stored(withoutTraces(flow))).toEqual({ ...began, request: asked, hintedUserId: "u" });
    const account: SignInFlow = { ...began, ...steps, page: "account", at: "/account/apps", fresh: true };
    expect(stored(withoutTraces(account))).toEqual({ ...began, page: "account" });
    expect(stored(withoutTraces({ ...began, ...steps, page: "device", device }))).toEqual({
      ...began,
      page: "device",
      device,
    });
  });
});

describe("members that do not belong together", () => {
  it("do not compile", () => {
    // @ts-expect-error an application has no page of ours
    const page: SignInFlow = { ...began, request: asked, page: "account" };
    // @ts-expect-error only an account has further pages
    const at: SignInFlow = { ...began, page: "change-password", at: "/account/apps" };
    // @ts-expect-error a device's page is about a device
    const nothing: SignInFlow = { ...began, page: "device" };
    // @ts-expect-error only a throttled attempt has a time for the next one
    const later: SignInFlow = { ...began, error: "credentials", retryAt: 9 };
    // @ts-expect-error a throttled attempt requires that time
    const blocked: SignInFlow = { ...began, error: "throttled" };
    expect([page, at, nothing, later, blocked]).toHaveLength(5);
  });
});
