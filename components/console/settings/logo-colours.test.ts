import { describe, expect, it } from "vitest";
import { coloursFrom, strikingColours } from "./logo-colours";

const pixels = (...colours: [count: number, red: number, green: number, blue: number, opacity?: number][]) =>
  colours.flatMap(([count, red, green, blue, opacity = 255]) =>
    Array.from({ length: count }, () => [red, green, blue, opacity]).flat(),
  );

describe("The colours of a logo", () => {
  it("are the vivid ones, largest first, without the white background and transparent pixels", () => {
    const logo = pixels([500, 255, 255, 255], [80, 200, 20, 40], [30, 20, 60, 200], [90, 0, 255, 0, 10]);
    expect(strikingColours(logo)).toEqual(["#c81428", "#143cc8"]);
  });

  it("merge similar shades, and are at most four", () => {
    expect(strikingColours(pixels([50, 200, 20, 40], [40, 190, 30, 50]))).toHaveLength(1);
    const many = pixels([9, 255, 0, 0], [8, 0, 255, 0], [7, 0, 0, 255], [6, 255, 255, 0], [5, 0, 255, 255]);
    expect(strikingColours(many)).toEqual(["#ff0000", "#00ff00", "#0000ff", "#ffff00"]);
  });

  it("are the darkest one of a grey logo, and none of an empty one", () => {
    expect(strikingColours(pixels([10, 20, 20, 20], [90, 255, 255, 255]))).toEqual(["#141414"]);
    expect(strikingColours(pixels([10, 20, 20, 20, 0]))).toEqual([]);
  });

  it("result in a light and a dark page", () => {
    expect(coloursFrom("#0a3d91")).toEqual({
      primaryColor: "#0a3d91",
      backgroundColor: "#f3f5fa",
      fontColor: "#0d1725",
      primaryColorDark: "#859ec8",
      backgroundColorDark: "#0e151f",
      fontColorDark: "#e7ecf4",
    });
  });
});
