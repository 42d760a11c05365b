import { describe, expect, it } from "vitest";
import { complianceProblems } from "./compliance";
import type { OidcSettings } from "./settings";

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

describe("The compliance problem of an app that must sign its requests", () => {
  const problemsOf = (settings: OidcSettings, hasKeys: boolean) =>
    complianceProblems({ redirectUris: ["https://a.test"], ...settings }, hasKeys).map(({ key }) => key);
  const noKey = "Application.OIDC.V1.RequestObject.NoKey";

  it("is that it has no key, neither here nor at an address", () => {
    expect(problemsOf({ requireSignedRequestObject: true }, false)).toEqual([noKey]);
    expect(problemsOf({ requireSignedRequestObject: true }, true)).toEqual([]);
    expect(problemsOf({ requireSignedRequestObject: true, jwksUri: "https://a.test/keys" }, false)).toEqual([]);
  });

  it("also counts a profile that requires it", () => {
    const settings = {
      authMethodType: "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH",
      tlsClientAuthSubjectDn: "CN=a",
    } as const;
    expect(problemsOf({ ...settings, profile: "PROFILE_FAPI2_MESSAGE_SIGNING" }, false)).toEqual([noKey]);
    expect(problemsOf({ ...settings, profile: "PROFILE_FAPI2" }, false)).toEqual([]);
  });
});
