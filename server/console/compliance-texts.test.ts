import { describe, expect, it } from "vitest";
import { consoleMessages } from "../../messages/console";
import { complianceProblems } from "../directory/app/compliance";
import type { OidcSettings } from "../directory/app/settings";
import { grantTypeSettings } from "../protocol/grant-type";

/** Settings that together cause every problem. */
const DOUBTFUL: readonly OidcSettings[] = [
  {
    redirectUris: [],
    devMode: true,
    legacyAssertionAudience: true,
    allowAssertionReuse: true,
    requireSignedRequestObject: true,
    allowedOrganizations: "APP_ORGANIZATIONS_ALL",
  },
  {
    redirectUris: ["http://a.test/"],
    responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
    grantTypes: ["OIDC_GRANT_TYPE_REFRESH_TOKEN", "OIDC_GRANT_TYPE_CLIENT_CREDENTIALS"],
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  },
  { redirectUris: [], grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"], appType: "OIDC_APP_TYPE_NATIVE" },
  {
    profile: "PROFILE_FAPI2",
    redirectUris: ["http://a.test/"],
    responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
    idTokenSignedResponseAlg: "RS256",
  },
  { responseTypes: ["OIDC_RESPONSE_TYPE_CODE_TOKEN"] },
  { authMethodType: "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH" },
  { appType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
];

describe("The grant types of apps", () => {
  it("have a name in the console", () => {
    const said = Object.keys(consoleMessages.en?.apps.by.setting ?? {});
    expect(said.filter((name) => name.startsWith("OIDC_GRANT_TYPE_")).sort()).toEqual([...grantTypeSettings].sort());
  });
});

describe("Warnings about apps in the console", () => {
  it("have a text, whose English equals the message of the API", () => {
    const found = DOUBTFUL.flatMap((settings) => complianceProblems(settings, false));
    const said = found.map(({ key, localizedMessage }) => [
      key.replace("Application.OIDC.V1.", "").replaceAll(".", "_"),
      localizedMessage,
    ]);
    expect(Object.fromEntries(said)).toEqual(consoleMessages.en?.apps.by.problem);
  });
});
