import { describe, expect, it, vi } from "vitest";
import { newId, randomCode, randomNonce, randomSecret } from "./random";

describe("ids (RFC 9562 §5.7)", () => {
  const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it("are version 7, carry the time and are unique", () => {
    const before = Date.now();
    const ids = Array.from({ length: 100_000 }, newId);
    expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const time = Number.parseInt((ids[0] ?? "").replace("-", "").slice(0, 12), 16);
    expect(Math.abs(time - before)).toBeLessThan(1_000);
  });

  it("sort in creation order, within a millisecond and when the clock is set back", () => {
    const ids = Array.from({ length: 10_000 }, newId);
    const now = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(now - 3_600_000);
    ids.push(...Array.from({ length: 10_000 }, newId));
    clock.mockRestore();
    ids.push(...Array.from({ length: 10_000 }, newId));
    expect(ids).toEqual([...ids].sort());
  });

  it("share no random part when many are drawn in a row", () => {
    const tails = Array.from({ length: 10_000 }, () => newId().slice(-10));
    expect(new Set(tails).size).toBeGreaterThan(9_990);
  });
});

describe("secrets", () => {
  it("have 256 bits and are unique", () => {
    const secrets = Array.from({ length: 10_000 }, randomSecret);
    expect(secrets.filter((secret) => !/^[\w-]{43}$/.test(secret))).toEqual([]);
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  it("share no bytes with nonces and ids when many are drawn in a row", () => {
    // No sequence of four bytes occurs twice. With 27,000 of them, one run in twelve has a collision by chance, so a
    // few are tolerated.
    const windows = new Map<string, number>();
    const parts = Array.from({ length: 2_000 }, (_, index) =>
      index % 3 === 0
        ? Buffer.from(randomSecret(), "base64url")
        : index % 3 === 1
          ? Buffer.from(randomNonce(12))
          : Buffer.from(newId().slice(-10), "hex"),
    );
    for (const part of parts) {
      for (let at = 0; at + 4 <= part.length; at++) {
        const four = part.toString("hex", at, at + 4);
        windows.set(four, (windows.get(four) ?? 0) + 1);
      }
    }
    expect([...windows.values()].filter((times) => times > 1).length).toBeLessThan(10);
  });

  it("for copying contain no letters that are easily confused", () => {
    for (let round = 0; round < 1_000; round++) expect(randomCode()).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
  });
});
