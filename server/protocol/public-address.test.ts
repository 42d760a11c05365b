import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkBackChannelUri, isPublicAddress } from "./public-address";
import { isReason } from "./reason";

describe("IP addresses that the service may call (RFC 6890)", () => {
  it.each([
    "93.184.216.34",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::200e",
    "::ffff:8.8.8.8",
  ])("include %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.19.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::a00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "localhost",
    "127.1",
    "0x7f.0.0.1",
    "",
    "1.2.3.256",
    "1::2::3",
    "12345::1",
  ])("do not include %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("are decided for every text without throwing, and never include 127/8, however it is mapped", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof isPublicAddress(text) === "boolean"));
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.nat(255), (b, c, d) => !isPublicAddress(`::ffff:127.${b}.${c}.${d}`)),
    );
  });
});

describe("back-channel logout if the service is not on loopback", () => {
  it.each([
    ...[
      "http://localhost:3000/logout",
      "http://127.0.0.1/x",
      "http://[::1]/",
      "https://localhost/",
      "https://localhost./",
    ],
    ...[
      "https://127.0.0.1/",
      "https://[::ffff:7f00:1]/",
      "https://127.1/",
      "https://10.0.0.1/",
      "https://a.localhost./",
    ],
  ])("may not call %s, in development mode or not", (address) => {
    for (const devMode of [true, false]) {
      expect(isReason(checkBackChannelUri(address, { devMode, onLoopback: false }))).toBe(true);
    }
  });
});

describe("the back-channel logout URI (OpenID Connect Back-Channel Logout 1.0 §2.2)", () => {
  it.each([
    ["https://rp.test/logout", false],
    ["https://rp.test:8443/logout?tenant=1", false],
    ["http://localhost:3000/logout", true],
    ["http://127.0.0.1/logout", true],
    ["http://[::1]:3000/logout", true],
  ])("may be %s (development mode: %s)", (address, devMode) => {
    expect(checkBackChannelUri(address, { devMode, onLoopback: true })).toBeUndefined();
  });

  it.each([
    ["http://rp.test/logout", false],
    ["http://rp.test/logout", true],
    ["http://localhost/logout", false],
    ["https://localhost/logout", false],
    ["https://x.localhost/logout", false],
    ["https://127.0.0.1/logout", false],
    ["https://2130706433/logout", false],
    ["https://0x7f.1/logout", false],
    ["https://[::1]/logout", false],
    ["https://[::ffff:127.0.0.1]/logout", false],
    ["https://169.254.169.254/latest", true],
    ["https://user:pw@rp.test/", false],
    ["https://rp.test/#x", false],
    ["ftp://rp.test/", true],
    ["/logout", true],
  ])("may not be %s (development mode: %s)", (address, devMode) => {
    expect(isReason(checkBackChannelUri(address, { devMode, onLoopback: true }))).toBe(true);
  });
});
