import { expect, it } from "vitest";
import { ATTEMPT_REASONS, addressForOthers, reasonForOthers, storedReasons } from "./sign-in-attempt";

it("returns to other organizations one reason for all failures that reveal the state of an account", () => {
  const about = ["wrong_password", "unknown_name", "no_password", "password_not_allowed"] as const;
  const states = ["user_locked", "user_inactive", "organization_inactive"] as const;
  expect(new Set([...about, ...states].map(reasonForOthers))).toEqual(new Set(["not_recognized"]));
  expect(new Set((["throttled", "locked_out", "network_throttled"] as const).map(reasonForOthers)).size).toBe(1);
  expect(reasonForOthers("of_a_newer_release" as never)).toBe("error");
});

it("finds attempts for other organizations by the reason they read, and never by the real one", () => {
  for (const reason of ATTEMPT_REASONS) {
    const found = storedReasons(reason, "other");
    expect(found.map(reasonForOthers).filter((read) => read !== reason)).toEqual([]);
    expect(storedReasons(reason, "own")).toEqual([reason]);
  }
  expect(storedReasons("wrong_password", "other")).toEqual([]);
  expect(storedReasons("not_recognized", "other")).toContain("unknown_name");
  expect(storedReasons("not_recognized", "own")).toContain("wrong_password");
});

it("returns only the network of an address to other organizations", () => {
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
