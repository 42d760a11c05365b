import { describe, expect, it, vi } from "vitest";
import { linesIn, textToJson } from "./text-to-json";

describe("The value that a field sends", () => {
  it("is omitted if the field is empty, unless it clears a setting", () => {
    expect(textToJson("", {})).toBeUndefined();
    expect(textToJson("", { keepsEmpty: true })).toBe("");
    expect(textToJson("", { as: "nullable" })).toBeNull();
    expect(textToJson("", { as: "words" })).toBeUndefined();
  });

  it("is a list of lines or words, and an empty list if there are no lines", () => {
    expect(linesIn(" a \n\n b")).toEqual(["a", "b"]);
    expect(linesIn("")).toEqual([]);
    expect(textToJson(" a  b ", { as: "words" })).toEqual(["a", "b"]);
  });

  it("formats numbers, durations and days as the operations expect them", () => {
    expect(textToJson("12", { type: "number" })).toBe(12);
    expect(textToJson("90", { type: "number", as: "seconds" })).toBe("90s");
    expect(textToJson("2027-01-02", { type: "date" })).toBe(new Date(2027, 0, 2).toISOString());
  });

  it.each([
    ["Asia/Kolkata", "2027-01-02", "2027-01-01T18:30:00.000Z"],
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"], // midnight was skipped by daylight saving time
  ])("begins a day as the reader's clock does: %s", (zone, day, instant) => {
    vi.stubEnv("TZ", zone);
    try {
      expect(new Date(day).getTimezoneOffset()).not.toBe(0);
      expect(textToJson(day, { type: "date" })).toBe(instant);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
