import { describe, expect, it } from "vitest";
import { consoleMessages } from "../../messages/console";
import { complianceProblems } from "../directory/app/compliance";
import type { OidcSettings } from "../directory/app/settings";
import { grantTypeSettings } from "../protocol/grant-type";

/** Settings that together have every problem there is. */
const DOUBTFUL: readonly OidcSettings[] = [
  {
    redirectUris: [],
    devMode: true,
    legacyAssertionAudience: true,
    allowAssertionReuse: true,
    allowedOrganizations: "APP_ORGANIZATIONS_ALL",
  },
  {
    redirectUris: ["http://a.test/"],
    responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
    grantTypes: ["OIDC_GRANT_TYPE_REFRESH_TOKEN", "OIDC_GRANT_TYPE_CLIENT_CREDENTIALS"],
    authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
  },
  { redirectUris: [], grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"], appType: "OIDC_APP_TYPE_NATIVE" },
  { appType: "OIDC_APP_TYPE_USER_AGENT", authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
];

describe("the grants an app can be registered for", () => {
  it("have a name each in the console", () => {
    const said = Object.keys(consoleMessages.en?.apps.by.setting ?? {});
    expect(said.filter((name) => name.startsWith("OIDC_GRANT_TYPE_")).sort()).toEqual([...grantTypeSettings].sort());
  });
});

describe("warnings about apps in the console", () => {
  it("have a text each, whose English is what the API says", () => {
    const found = DOUBTFUL.flatMap((settings) => complianceProblems(settings, false));
    const said = found.map(({ key, localizedMessage }) => [
      key.replace("Application.OIDC.V1.", "").replaceAll(".", "_"),
      localizedMessage,
    ]);
    expect(Object.fromEntries(said)).toEqual(consoleMessages.en?.apps.by.problem);
  });
});
