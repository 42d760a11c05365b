import { describe, expect, it } from "vitest";
import { png } from "../../testing/pictures";
import { readPicture } from "./picture";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const jpeg = bytes([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 11, 8, 0, 20, 0, 100, 1, 0, 0,
]);
const webp = (kind: string, rest: number[]) => bytes("RIFF", [0, 0, 0, 0], "WEBP", kind, rest, new Array(20).fill(0));

describe("the type and size of a picture", () => {
  it.each<[string, Buffer, object | undefined]>([
    ["PNG", png(3, 2), { contentType: "image/png", width: 3, height: 2 }],
    ["JPEG", jpeg, { contentType: "image/jpeg", width: 100, height: 20 }],
    [
      "lossy WebP",
      webp("VP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 100, 0, 20, 0]),
      { contentType: "image/webp", width: 100, height: 20 },
    ],
    [
      "lossless WebP",
      webp("VP8L", [0, 0, 0, 0, 0x2f, 99, 0xc0, 4, 0]),
      { contentType: "image/webp", width: 100, height: 20 },
    ],
    [
      "extended WebP",
      webp("VP8X", [10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 19, 0, 0]),
      { contentType: "image/webp", width: 100, height: 20 },
    ],
    ["SVG", bytes("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"), undefined],
    ["GIF", bytes("GIF89a", [1, 0, 1, 0, 0, 0, 0]), undefined],
    ["a cut PNG", png(3, 2).subarray(0, 20), undefined],
    ["a cut JPEG", jpeg.subarray(0, 12), undefined],
    ["a JPEG whose segments end nowhere", bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0, 0, 0, 0]), undefined],
    ["WebP of an unknown kind", webp("VP9 ", [0]), undefined],
    ["an empty file", bytes(), undefined],
  ])("are determined from its bytes: %s", (_, content, facts) => {
    expect(readPicture(content)).toEqual(facts);
  });
});
