import { describe, expect, it } from "vitest";
import { reason } from "../../protocol/reason";
import { findWrongAddresses } from "./addresses";

describe("the addresses of an app of a service that is not on loopback", () => {
  const told = { devMode: true, backChannelLogoutUri: "http://127.0.0.1:9999/x", redirectUris: ["https://rp.test/cb"] };

  it("rejects a back-channel address on the service's own machine, also in development mode", () => {
    const wrong = [{ field: "backChannelLogoutUri", reason: reason("https") }];
    expect(findWrongAddresses(told, { baseUrl: "https://id.acme.test" })).toEqual(wrong);
    const unlessBuilt = [{ field: "backChannelLogoutUri", reason: reason("https_or_dev") }];
    const built = { ...told, devMode: false };
    expect(findWrongAddresses(built, { baseUrl: "http://localhost:8080" })).toEqual(unlessBuilt);
    expect(findWrongAddresses(told, { baseUrl: "http://localhost:8080" })).toEqual([]);
  });
});
