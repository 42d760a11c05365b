import { describe, expect, it } from "vitest";
import { acrOf, checkEssentialAcr, MULTI_FACTOR, SINGLE_FACTOR, wishedFactors } from "./authentication-context";
import type { ClaimWish } from "./claims-request";

const claims = (acr: ClaimWish) => ({ userinfo: {}, idToken: { acr } });

describe("authentication context (OIDC Core §2, §5.5.1.1)", () => {
  it.each([
    ["pwd", SINGLE_FACTOR],
    ["pwd otp mfa", MULTI_FACTOR],
    ["mfax pwd", SINGLE_FACTOR],
  ])("of %s is %s", (amr, acr) => {
    expect(acrOf(amr)).toBe(acr);
  });

  it.each([
    [[], undefined, "any"],
    [["urn:other"], undefined, "any"],
    [[MULTI_FACTOR], undefined, "preferred"],
    [["urn:other", MULTI_FACTOR, SINGLE_FACTOR], undefined, "preferred"],
    [[SINGLE_FACTOR, MULTI_FACTOR], undefined, "any"],
    [[], claims({ value: MULTI_FACTOR }), "preferred"],
    [[], claims({ essential: true, value: MULTI_FACTOR }), "required"],
    [[], claims({ essential: true, values: ["urn:other", MULTI_FACTOR] }), "required"],
    [[], claims({ essential: true, values: [MULTI_FACTOR, SINGLE_FACTOR] }), "preferred"],
    [[], claims({ essential: true }), "any"],
  ] as const)("acr_values %j and claims %j wish: %s", (acrValues, wished, wish) => {
    expect(wishedFactors(acrValues, wished as Parameters<typeof wishedFactors>[1])).toBe(wish);
  });

  it.each([
    [{ essential: true, value: "urn:other" }, "unmet_authentication_requirements"],
    [{ essential: true, values: ["urn:other", 1] }, "unmet_authentication_requirements"],
    [{ essential: true, values: ["urn:other", SINGLE_FACTOR] }, undefined],
    [{ essential: true, value: MULTI_FACTOR }, undefined],
    [{ values: ["urn:other"] }, undefined],
    [{ essential: true, values: [] }, undefined],
    [{ essential: true }, undefined],
  ])("an acr claim requested as %j, which this service must be able to satisfy: %s", (acr, error) => {
    expect(checkEssentialAcr(claims(acr))?.error).toBe(error);
  });
});
