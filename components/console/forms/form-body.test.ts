import { describe, expect, it, vi } from "vitest";
import { type Control, formBody } from "./form-body";

const control = (name: string, value: string, more: Partial<Control> = {}): Control => ({
  name,
  value,
  type: "text",
  checked: false,
  as: undefined,
  keepsEmpty: false,
  ...more,
});

describe("The body that a form sends", () => {
  it("nests members by the dots in names", () => {
    const controls = [control("profile.firstName", "Zoë"), control("profile.lastName", "Quark"), control("id", "z")];
    expect(formBody(controls)).toEqual({ profile: { firstName: "Zoë", lastName: "Quark" }, id: "z" });
  });

  it("omits empty fields, unless they clear a setting", () => {
    expect(
      formBody([
        control("a", ""),
        control("b", "", { keepsEmpty: true }),
        control("c", "", { as: "nullable" }),
        control("", "x"),
      ]),
    ).toEqual({ b: "", c: null });
  });

  it("sends a duration with its unit, and omits an empty one", () => {
    expect(
      formBody([control("life", "2", { type: "number", said: "7200s" }), control("none", "never", { said: "" })]),
    ).toEqual({ life: "7200s" });
  });

  it("sends switches, choices and lists, and an empty list if nothing is chosen", () => {
    expect(
      formBody([
        control("on", "on", { type: "checkbox", checked: true }),
        control("off", "on", { type: "checkbox" }),
        control("roles[]", "A", { type: "checkbox", checked: true }),
        control("roles[]", "B", { type: "checkbox" }),
        control("none[]", "C", { type: "checkbox" }),
        control("kind", "one", { type: "radio" }),
        control("kind", "two", { type: "radio", checked: true }),
        control("lines", " a \n\n b", { as: "lines" }),
        control("words", " a  b ", { as: "words" }),
        control("nothing", "", { as: "words" }),
      ]),
    ).toEqual({ on: true, off: false, roles: ["A"], none: [], kind: "two", lines: ["a", "b"], words: ["a", "b"] });
  });

  it("formats numbers, durations and days as the operations expect them", () => {
    expect(
      formBody([
        control("count", "12", { type: "number" }),
        control("seconds", "90", { type: "number", as: "seconds" }),
        control("day", "2027-01-02", { type: "date" }),
      ]),
    ).toEqual({ count: 12, seconds: "90s", day: new Date(2027, 0, 2).toISOString() });
  });

  it.each([
    ["Asia/Kolkata", "2027-01-02", "2027-01-01T18:30:00.000Z"],
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"], // midnight was skipped by daylight saving time
  ])("begins a day as the reader's clock does: %s", (zone, day, instant) => {
    vi.stubEnv("TZ", zone);
    try {
      expect(new Date(day).getTimezoneOffset()).not.toBe(0);
      expect(formBody([control("day", day, { type: "date" })])).toEqual({ day: instant });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
