import { describe, expect, it } from "vitest";
import { audienceOf, isInAudience } from "./audience";

const web = { clientId: "web", projectId: "p1", origin: "administrator" } as const;
const api = { clientId: "api", origin: "administrator" } as const;
const aud = (id: string) => `urn:service:iam:org:project:id:${id}:aud`;

describe("audience of an access token (rule AUDIENCE-1)", () => {
  it.each([
    [[], ["web", "p1"]],
    [
      ["openid", "email"],
      ["web", "p1"],
    ],
    [
      ["openid", aud("service"), aud("p2")],
      ["web", "p1", "service", "p2"],
    ],
    [
      [aud("p1"), aud("p2"), aud("p2")],
      ["web", "p1", "p2"],
    ],
  ])("%j: %j", (scopes, audience) => {
    expect(audienceOf(web, scopes)).toEqual(audience);
  });

  it.each([
    [["web", "p1"], web, true],
    [["web", "p1"], { ...api, projectId: "p1" }, true],
    [["web", "p1"], { ...api, projectId: "p2" }, false],
    [["web", "p1", "p2"], { ...api, projectId: "p2" }, true],
    [[], web, false],
    [["web2"], web, false],
    [["web"], web, true],
  ])("%j is meant for %j: %s", (audience, client, expected) => {
    expect(isInAudience(audience, client)).toBe(expected);
  });

  it("leaves out the project that clients share which registered themselves", () => {
    const stranger = { ...web, origin: "registration" } as const;
    expect(audienceOf(stranger, ["openid"])).toEqual(["web"]);
    expect(isInAudience(["other", "p1"], stranger)).toBe(false);
  });
});
