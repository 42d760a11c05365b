import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actorClaim, actorSubjects, readActor } from "./actor";

const ISSUER = "https://id.example.com";

describe("act claim (RFC 8693 §4.1)", () => {
  it("nests the actors who acted before", () => {
    expect(actorClaim(ISSUER, ["c", "b", "a"])).toEqual({
      iss: ISSUER,
      sub: "c",
      act: { iss: ISSUER, sub: "b", act: { iss: ISSUER, sub: "a" } },
    });
    expect(actorClaim(ISSUER, [])).toBeUndefined();
  });

  it("drops consecutive duplicates, but keeps an actor who returns later", () => {
    expect(actorSubjects(actorClaim(ISSUER, ["a", "a", "b", "b", "a"]))).toEqual(["a", "b", "a"]);
  });

  it("keeps every actor when it is stored in a row", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 10 }), (subjects) => {
        const claim = actorClaim(ISSUER, subjects);
        expect(readActor(JSON.stringify(claim))).toEqual(claim);
        expect(new Set(actorSubjects(claim))).toEqual(new Set(subjects));
        expect(actorSubjects(claim)[0]).toBe(subjects[0]);
      }),
    );
  });

  it("is undefined for a row without one", () => {
    expect(readActor(null)).toBeUndefined();
  });
});
