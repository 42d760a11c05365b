import { describe, expect, it } from "vitest";
import { complianceProblems } from "./compliance";

describe("The compliance problems of response types", () => {
  const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"] as const;
  const problemsOf = (type: string, grants: readonly (typeof grantTypes)[number][] = grantTypes) =>
    complianceProblems(
      {
        redirectUris: ["https://a.test"],
        responseTypes: [`OIDC_RESPONSE_TYPE_${type}` as "OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: [...grants],
      },
      false,
    ).map(({ key }) => key.replace("Application.OIDC.V1.", ""));

  it.each([
    ["CODE", ["Implicit.Discouraged"]],
    ["ID_TOKEN", ["Implicit.Discouraged"]],
    ["CODE_ID_TOKEN", []],
    ["CODE_TOKEN", ["Hybrid.AccessToken"]],
    ["CODE_ID_TOKEN_TOKEN", ["Hybrid.AccessToken"]],
  ])("warn about access tokens in addresses: %s with both grants", (type, problems) => {
    expect(problemsOf(type)).toEqual(problems);
  });

  it("name a hybrid response type that lacks one of its two grants", () => {
    for (const grant of grantTypes) {
      expect(problemsOf("CODE_ID_TOKEN", [grant])).toEqual(["NotAllCombinationsAreAllowed"]);
    }
  });
});
