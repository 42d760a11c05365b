import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reason } from "../protocol/reason";
import { checkJwk } from "./public-key";

const ofExponent = (publicExponent: number) =>
  generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent }).publicKey.export({ format: "jwk" });

describe("keys that would only make verification more expensive", () => {
  it("are rejected if their exponent is longer than the usual ones", () => {
    const key = ofExponent(65_537);
    expect(checkJwk({ ...key })).toBeUndefined();
    expect(checkJwk({ ...key, e: "AQAB" })).toBeUndefined();
    expect(checkJwk({ ...key, e: "_____w" })).toBeUndefined();
    expect(checkJwk({ ...key, e: "AQAAAAAAAAAB" })).toEqual(reason("exponent"));
    expect(checkJwk({ ...key, e: key.n })).toEqual(reason("exponent"));
  });

  it("are rejected if they have more than 8192 bits", () => {
    const { n = "", ...key } = ofExponent(65_537);
    const digits = Buffer.from(n, "base64url");
    const ofBytes = (length: number) => ({
      ...key,
      n: Buffer.concat([digits, Buffer.alloc(length - digits.length, 1)]).toString("base64url"),
    });
    expect(checkJwk(ofBytes(1024))).toBeUndefined();
    expect(checkJwk(ofBytes(1025))).toEqual(reason("key_bits_most", { n: 8192 }));
  });
});
