import { describe, expect, it } from "vitest";
import { reason } from "../../protocol/reason";
import { findWrongAddresses } from "./addresses";

describe("addresses of an app, where the service is reached by others", () => {
  const told = { devMode: true, backChannelLogoutUri: "http://127.0.0.1:9999/x", redirectUris: ["https://rp.test/cb"] };

  it("refuses a back-channel address of the service's own machine, whatever the app says of itself", () => {
    const wrong = [{ field: "backChannelLogoutUri", reason: reason("https") }];
    expect(findWrongAddresses(told, { baseUrl: "https://id.acme.test" })).toEqual(wrong);
    const unlessBuilt = [{ field: "backChannelLogoutUri", reason: reason("https_or_dev") }];
    const built = { ...told, devMode: false };
    expect(findWrongAddresses(built, { baseUrl: "http://localhost:8080" })).toEqual(unlessBuilt);
    expect(findWrongAddresses(told, { baseUrl: "http://localhost:8080" })).toEqual([]);
  });
});
