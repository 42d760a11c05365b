import { expect, it } from "vitest";
import { ATTEMPT_REASONS, addressForOthers, reasonForOthers, storedReasons } from "./sign-in-attempt";

it("tells others one reason for whatever depends on whether there is an account and in which state", () => {
  const about = ["wrong_password", "unknown_name", "no_password", "password_not_allowed"] as const;
  const states = ["user_locked", "user_inactive", "organization_inactive"] as const;
  expect(new Set([...about, ...states].map(reasonForOthers))).toEqual(new Set(["not_recognized"]));
  expect(new Set((["throttled", "locked_out", "network_throttled"] as const).map(reasonForOthers)).size).toBe(1);
});

it("finds for others what reads like the reason, and never by the reason behind it", () => {
  for (const reason of ATTEMPT_REASONS) {
    const found = storedReasons(reason, "other");
    expect(found.map(reasonForOthers).filter((read) => read !== reason)).toEqual([]);
    expect(storedReasons(reason, "own")).toEqual([reason]);
  }
  expect(storedReasons("wrong_password", "other")).toEqual([]);
  expect(storedReasons("not_recognized", "other")).toContain("unknown_name");
  expect(storedReasons("not_recognized", "own")).toContain("wrong_password");
});

it("tells others the network of an address", () => {
  const networks = {
    "203.0.113.77": "203.0.113.0/24",
    "::ffff:203.0.113.77": "203.0.113.0/24",
    "2001:db8:7:8:9:a:b:c": "2001:db8:7::/48",
    "2001:db8::1": "2001:db8:0::/48",
    "::1": "0:0:0::/48",
    "fe80::1%eth0": "fe80:0:0::/48",
  };
  expect(Object.keys(networks).map(addressForOthers)).toEqual(Object.values(networks));
});
