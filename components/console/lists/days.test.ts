import { describe, expect, it } from "vitest";
import { isSameZone, zoneOf } from "../../../messages/calendar";
import { type ChosenDays, instantsOf, isDay } from "./days";

const from = (day: string, zone?: string) => instantsOf({ from: day, zone }).from;
const to = (day: string, zone?: string) => instantsOf({ to: day, zone }).to;

describe("chosen days as instants", () => {
  it.each<[string, ChosenDays, string, string]>([
    [
      "whole hours",
      { from: "2026-01-10", zone: "Europe/Berlin" },
      "2026-01-09T23:00:00.000Z",
      "2026-01-10T22:59:59.999Z",
    ],
    [
      "half hours",
      { from: "2026-11-21", zone: "Asia/Kolkata" },
      "2026-11-20T18:30:00.000Z",
      "2026-11-21T18:29:59.999Z",
    ],
    [
      "quarters",
      { from: "2026-11-21", zone: "Asia/Kathmandu" },
      "2026-11-20T18:15:00.000Z",
      "2026-11-21T18:14:59.999Z",
    ],
    [
      "far ahead",
      { from: "2026-11-21", zone: "Pacific/Kiritimati" },
      "2026-11-20T10:00:00.000Z",
      "2026-11-21T09:59:59.999Z",
    ],
    [
      "far behind",
      { from: "2026-11-21", zone: "Pacific/Pago_Pago" },
      "2026-11-21T11:00:00.000Z",
      "2026-11-22T10:59:59.999Z",
    ],
    [
      "a day of 23 hours",
      { from: "2026-03-29", zone: "Europe/Berlin" },
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T21:59:59.999Z",
    ],
    [
      "a day of 25 hours",
      { from: "2026-10-25", zone: "Europe/Berlin" },
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T22:59:59.999Z",
    ],
    [
      "midnight skipped",
      { from: "2018-11-04", zone: "America/Sao_Paulo" },
      "2018-11-04T03:00:00.000Z",
      "2018-11-05T01:59:59.999Z",
    ],
    [
      "the evening twice",
      { from: "2018-02-17", zone: "America/Sao_Paulo" },
      "2018-02-17T02:00:00.000Z",
      "2018-02-18T02:59:59.999Z",
    ],
    [
      "midnight twice",
      { from: "2026-11-01", zone: "America/Havana" },
      "2026-11-01T04:00:00.000Z",
      "2026-11-02T04:59:59.999Z",
    ],
    [
      "the minute after midnight",
      { from: "2006-10-29", zone: "America/St_Johns" },
      "2006-10-29T02:30:00.000Z",
      "2006-10-30T03:29:59.999Z",
    ],
    [
      "half an hour forward",
      { from: "2026-10-04", zone: "Australia/Lord_Howe" },
      "2026-10-03T13:30:00.000Z",
      "2026-10-04T12:59:59.999Z",
    ],
    ["no zone", { from: "2026-11-21" }, "2026-11-21T00:00:00.000Z", "2026-11-21T23:59:59.999Z"],
    [
      "what is no zone",
      { from: "2026-11-21", zone: "Mars/Olympus" },
      "2026-11-21T00:00:00.000Z",
      "2026-11-21T23:59:59.999Z",
    ],
  ])("%s", (_, days, first, last) => {
    expect(instantsOf({ ...days, to: days.from })).toEqual({ from: first, to: last });
  });

  it("is an empty range for a day that the zone skipped", () => {
    expect(from("2011-12-30", "Pacific/Apia")).toBe("2011-12-30T10:00:00.000Z");
    expect(to("2011-12-30", "Pacific/Apia")).toBe("2011-12-30T09:59:59.999Z");
    expect(to("2011-12-29", "Pacific/Apia")).toBe("2011-12-30T09:59:59.999Z");
  });

  it.each([
    ["America/St_Johns", 2006],
    ["Africa/Casablanca", 2026],
    ["America/Sao_Paulo", 2018],
  ])("leave no instant out and have none twice in %s", (zone, year) => {
    const wrong: string[] = [];
    const nameOf = (day: number) => new Date(day).toISOString().slice(0, 10);
    for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += 86_400_000) {
      const end = Date.parse(to(nameOf(day), zone) ?? "");
      if (Date.parse(from(nameOf(day + 86_400_000), zone) ?? "") !== end + 1) wrong.push(nameOf(day));
    }
    expect(wrong).toEqual([]);
  });

  it("accepts only the format of a date field", () => {
    expect(["2028-02-29", "9999-12-31", "1000-01-01"].map(isDay)).toEqual([true, true, true]);
    const bad = [undefined, "", "yesterday", "2026-02-29", "2026-02-31", "2026-13-01", "0999-01-01", "2026-1-1"];
    expect(bad.filter(isDay)).toEqual([]);
    expect(instantsOf({ from: "2026-02-31", to: "12026-01-01", zone: "Asia/Kolkata" })).toEqual({});
    expect(to("9999-12-31", "Pacific/Pago_Pago")).toBe("9999-12-31T23:59:59.999Z");
    expect(from("1970-01-01", "Europe/Berlin")).toBe("1970-01-01T00:00:00.000Z");
  });
});

it("accepts a zone in any spelling, and no name longer than an existing one", () => {
  expect([isSameZone("Asia/Calcutta", "Asia/Kolkata"), isSameZone("UTC", "Etc/UTC")]).toEqual([true, true]);
  expect(isSameZone("Europe/Berlin", "Europe/Paris")).toBe(false);
  expect(["Asia/Kolkata", "", "x".repeat(10_000), "Mars/Olympus"].map(zoneOf)).toEqual([
    "Asia/Kolkata",
    ...Array(3).fill("UTC"),
  ]);
});
