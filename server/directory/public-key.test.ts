import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reason } from "../protocol/reason";
import { checkJwk } from "./public-key";

const ofExponent = (publicExponent: number) =>
  generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent }).publicKey.export({ format: "jwk" });

describe("keys that only cost more to check with", () => {
  it("takes the exponents that are used, and none as long as the key", () => {
    const key = ofExponent(65_537);
    expect(checkJwk({ ...key })).toBeUndefined();
    expect(checkJwk({ ...key, e: "AQAB" })).toBeUndefined();
    expect(checkJwk({ ...key, e: "_____w" })).toBeUndefined();
    expect(checkJwk({ ...key, e: "AQAAAAAAAAAB" })).toEqual(reason("exponent"));
    expect(checkJwk({ ...key, e: key.n })).toEqual(reason("exponent"));
  });

  it("takes 8192 bits, and no more", () => {
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
