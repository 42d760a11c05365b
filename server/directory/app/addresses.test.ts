import { describe, expect, it } from "vitest";
import { reason } from "../../protocol/reason";
import { findWrongAddresses } from "./addresses";
import type { OidcSettings } from "./settings";

describe("the addresses of an app of a service that is not on loopback", () => {
  const told = { devMode: true, backChannelLogoutUri: "http://127.0.0.1:9999/x", redirectUris: ["https://rp.test/cb"] };

  it("must have one host for pairwise subjects without a sector identifier URI (OIDC Core §8.1)", () => {
    const pairwise: OidcSettings = {
      subjectType: "SUBJECT_TYPE_PAIRWISE",
      redirectUris: ["https://a.test/1", "https://a.test:8443/2"],
    };
    const more = { ...pairwise, redirectUris: ["https://a.test/1", "https://b.test/"] };
    const wrong = [{ field: "sectorIdentifierUri", reason: reason("one_sector") }];
    expect(findWrongAddresses(pairwise)).toEqual([]);
    expect(findWrongAddresses(more)).toEqual(wrong);
    expect(findWrongAddresses({ ...pairwise, redirectUris: [] })).toEqual(wrong);
    expect(findWrongAddresses({ ...more, sectorIdentifierUri: "https://a.test/sector.json" })).toEqual([]);
  });

  it("connects it to other issuers alone, by https and once each (RFC 8414 §2)", () => {
    const service = { baseUrl: "https://id.acme.test" };
    const wrongIn = (...issuers: string[]) => {
      const connectedAuthorizationServers = issuers.map((issuer) => ({ issuer, clientId: "c" }));
      return findWrongAddresses({ connectedAuthorizationServers }, service).map(({ reason }) => reason);
    };
    expect(wrongIn("https://auth.test", "https://auth.test/tenant/")).toEqual([]);
    expect(wrongIn("http://auth.test")).toEqual([reason("https_or_dev")]);
    expect(wrongIn("https://auth.test/?a=b")).toEqual([reason("no_parameters")]);
    expect(wrongIn("https://auth.test/#a")).toEqual([reason("fragment")]);
    expect(wrongIn("https://id.acme.test/")).toEqual([reason("resource_own")]);
    const repeated = reason("same_as", { place: "connectedAuthorizationServers[0]" });
    expect(wrongIn("https://auth.test", "https://auth.test")).toEqual([repeated]);
  });

  it("rejects a back-channel address on the service's own machine, also in development mode", () => {
    const wrong = [{ field: "backChannelLogoutUri", reason: reason("https") }];
    expect(findWrongAddresses(told, { baseUrl: "https://id.acme.test" })).toEqual(wrong);
    const unlessBuilt = [{ field: "backChannelLogoutUri", reason: reason("https_or_dev") }];
    const built = { ...told, devMode: false };
    expect(findWrongAddresses(built, { baseUrl: "http://localhost:8080" })).toEqual(unlessBuilt);
    expect(findWrongAddresses(told, { baseUrl: "http://localhost:8080" })).toEqual([]);
  });
});

describe("findWrongAddresses: front-channel logout", () => {
  const redirectUris = ["https://rp.test:8443/cb", "com.example.app:/cb"];
  it.each([
    ["https://rp.test:8443/out", true],
    ["https://rp.test/out", false],
    ["http://rp.test:8443/out", false],
    ["https://evil.test/out", false],
    ["https://rp.test:8443/out#top", false],
    ["https://user@rp.test:8443/out", false],
  ])("%s has the origin of a redirect URI: %s", (frontChannelLogoutUri, isRight) => {
    const wrong = [{ field: "frontChannelLogoutUri", reason: reason("redirect_origin") }];
    const settings = { appType: "OIDC_APP_TYPE_NATIVE", redirectUris, frontChannelLogoutUri } as const;
    expect(findWrongAddresses(settings)).toEqual(isRight ? [] : wrong);
  });
});
