import { describe, expect, it } from "vitest";
import { formatUserCode, normalizeUserCode, parseDeviceRequest } from "./device";
import { parseParameters } from "./parameters";

describe("user codes (RFC 8628 §6.1)", () => {
  it.each([
    "WDJBMJHT",
    "WDJB-MJHT",
    "wdjb-mjht",
    " wdjb mjht ",
    "WDJB\u2013MJHT",
    "W D J B M J H T",
    "\uff37\uff24\uff2a\uff22 MJHT",
  ])("%s is the code WDJBMJHT", (typed) => {
    expect(normalizeUserCode(typed)).toBe("WDJBMJHT");
  });

  it.each([
    undefined,
    "",
    "WDJB-MJH",
    "WDJB-MJHTX",
    "WDJB-MJHA",
    "WDJB-MJH0",
    "WDJB/MJHT",
    `WDJBMJHT${" ".repeat(64)}`,
  ])("%s is not a code", (typed) => {
    expect(normalizeUserCode(typed)).toBeUndefined();
  });

  it("are displayed in two groups of four", () => {
    expect(formatUserCode("WDJBMJHT")).toBe("WDJB-MJHT");
  });
});

describe("device authorization request (RFC 8628 §3.1)", () => {
  const parse = (form: string) => {
    const parameters = parseParameters(form);
    return "get" in parameters ? parseDeviceRequest(parameters) : parameters;
  };

  it("accepts scopes, or none", () => {
    expect(parse("scope=openid+email")).toEqual({ scope: ["openid", "email"], resources: [] });
    expect(parse("client_id=tv")).toEqual({ scope: [], resources: [] });
  });

  it.each([
    ["a repeated parameter", "scope=openid&scope=email", "invalid_request"],
    ["a malformed scope", "scope=a%22b", "invalid_scope"],
    ["a request object", "request=e30.e30.", "invalid_request"],
  ])("rejects %s: %s", (_, form, error) => {
    expect(parse(form)).toMatchObject({ error });
  });
});
