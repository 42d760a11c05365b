// The requests of a policy form, and the durations that it shows.
import { describe, expect, it } from "vitest";
import { durationOf, inUnits, limitIn, offeredUnits, unitName } from "./duration";
import { POLICY_KINDS, POLICY_OPERATIONS } from "./policy";
import { changesOf, type PolicyState, presetOf, saving, withInherited, withValue } from "./policy-state";

const [login, password] = POLICY_KINDS;
const inherited: PolicyState = { values: { minLength: "15" }, own: [], exists: false };

describe("A policy that is changed in the console", () => {
  it("sends only the settings that this level sets itself", () => {
    const saved: PolicyState = { values: { forceMfa: false, allowRegister: true }, own: ["forceMfa"], exists: true };
    const now = withValue(saved, saved, "allowRegister", false);
    expect(saving(login, "organization", true, now)).toMatchObject({
      operation: POLICY_OPERATIONS.organization.change,
      at: { kind: "login" },
      body: { forceMfa: false, allowRegister: false },
    });
    expect(saving(login, "instance", true, withInherited(now, "forceMfa", true)).body).toEqual({
      allowRegister: false,
    });
  });

  it("is added, changed, or removed when this level sets nothing anymore", () => {
    const own = withValue(inherited, inherited, "minLength", "20");
    expect(saving(password, "organization", false, own).operation).toBe(POLICY_OPERATIONS.organization.add);
    const back = saving(password, "organization", true, withInherited(own, "minLength", "15"));
    expect(back).toMatchObject({ operation: POLICY_OPERATIONS.organization.reset, returns: true });
    expect(saving(password, "instance", true, inherited).operation).toBe(POLICY_OPERATIONS.instance.change);
  });

  it("has changed if a value or its level differs, but not if an edit is reverted", () => {
    const typed = withValue(inherited, inherited, "minLength", "20");
    expect(changesOf(password.fields, inherited, typed)).toMatchObject([
      { before: "15", after: "20", isInherited: false },
    ]);
    expect(changesOf(password.fields, inherited, withValue(typed, inherited, "minLength", "15"))).toEqual([]);
    const same: PolicyState = { ...inherited, own: ["minLength"], exists: true };
    const followed = withInherited(same, "minLength", "15");
    expect(changesOf(password.fields, same, followed)).toMatchObject([
      { before: "15", after: "15", isInherited: true },
    ]);
  });

  it("matches a preset if it has all of its values", () => {
    const at = (duration: string, other = duration) =>
      presetOf(login, {
        passwordCheckLifetime: duration,
        externalLoginCheckLifetime: duration,
        secondFactorCheckLifetime: duration,
        multiFactorCheckLifetime: other,
      });
    expect([at("86400s"), at("43200s"), at("86400s", "43200s")]).toEqual(["day", "halfDay", undefined]);
  });
});

describe("A duration", () => {
  it.each([
    ["315360000s", { count: 10, unit: "year" }],
    ["2592000s", { count: 30, unit: "day" }],
    ["5400s", { count: 90, unit: "minute" }],
    ["90s", { count: 90, unit: "second" }],
    ["", undefined],
    ["inherited", undefined],
  ] as const)("%s is shown in its largest whole unit", (duration, shown) => {
    expect(inUnits(duration)).toEqual(shown);
    if (shown) expect(durationOf(String(shown.count), shown.unit)).toBe(duration);
  });

  it("is the same in the format of an app's settings", () => {
    expect([inUnits("60m"), inUnits("24h"), inUnits("2d")]).toEqual([
      { count: 1, unit: "hour" },
      { count: 1, unit: "day" },
      { count: 2, unit: "day" },
    ]);
  });

  it("is empty if no number is typed, and its limits are converted to the unit", () => {
    expect([durationOf("", "day"), durationOf("-1", "day"), durationOf("1.5", "hour")]).toEqual(["", "", "5400s"]);
    expect([limitIn("year", 315_360_000, "down"), limitIn("hour", 60, "up")]).toEqual([10, 0.017]);
  });

  it("has units in the reader's language, and seconds only if they are in use", () => {
    expect(offeredUnits("day")).toEqual(["minute", "hour", "day", "year"]);
    expect(offeredUnits("second")).toContain("second");
    expect([unitName("en", "day", 1), unitName("de", "day", 30)]).toEqual(["day", "Tage"]);
  });
});
