import { describe, expect, it } from "vitest";
import { type Asked, disclosuresOf, needsConfirmation, scopeToConfirm } from "./consent-required";

type Subject = Parameters<typeof needsConfirmation>[0];
const own = { isThirdParty: false, organizationId: "acme", standing: "registered", origin: "administrator" } as const;
const native: Subject = { ...own, applicationType: "native", authenticationMethod: "none" };
const web: Subject = { ...own, applicationType: "web", authenticationMethod: "client_secret_basic" };
const browser: Subject = { ...own, applicationType: "user_agent", authenticationMethod: "none" };
const theirOwn: Asked = {
  redirectUri: "https://rp.test/cb",
  scope: ["openid"],
  owners: new Map(),
  person: { organizationId: "acme" },
};

describe("consent before an app learns who the user is (rule PAGE-2, RFC 8252 §8.6)", () => {
  it.each([
    ["a native app on a loopback address", native, "http://127.0.0.1:51004/cb", true],
    ["a native app on an IPv6 loopback address", native, "http://[::1]:51004/cb", true],
    ["a native app with its own scheme", native, "com.example.app:/cb", true],
    ["a native app with a verified URI (RFC 8252 §7.2)", native, "https://app.example.com/cb", false],
    ["a native app with a secret", { ...native, authenticationMethod: "client_secret_post" }, "app.x:/cb", false],
    ["a web app", web, "https://rp.test/cb", false],
    ["a web app in development", web, "http://localhost:3000/cb", false],
    ["a browser app in development", browser, "http://localhost:3000/cb", false],
    ["a third party's web app", { ...web, isThirdParty: true }, "https://rp.test/cb", true],
    ["a third party's browser app", { ...browser, isThirdParty: true }, "https://rp.test/cb", true],
  ] as const)("%s", (_, client, redirectUri, asked) => {
    expect(needsConfirmation(client, { ...theirOwn, redirectUri })).toBe(asked);
  });
});

describe("consent for apps of other organizations (rule TRUST-1)", () => {
  const foreign: Subject = { ...web, organizationId: "evil" };
  const project = (owner: string | undefined) => new Map([["p9", owner]]);
  const manage = ["openid", "urn:service:iam:org:project:id:service:aud"];

  it.each<[string, Subject, Partial<typeof theirOwn>, boolean]>([
    ["an app of the user's own organization", web, {}, false],
    ["an app of another organization", foreign, {}, true],
    ["one that the instance trusts", { ...foreign, standing: "trusted" }, {}, false],
    [
      "a trusted app of another organization that is also a third party's",
      { ...foreign, standing: "trusted", isThirdParty: true },
      {},
      true,
    ],
    ["an own app that requests a project of its own organization", web, { owners: project("acme") }, false],
    ["an own app that requests another organization's project", web, { owners: project("evil") }, true],
    ["an own app that requests a project that does not exist", web, { owners: project(undefined) }, true],
    [
      "a trusted app that requests another organization's project",
      { ...web, standing: "trusted" },
      { owners: project("evil") },
      false,
    ],
    ["an own app that wants to manage the service", web, { scope: manage }, true],
    ["a trusted app that wants to manage the service", { ...foreign, standing: "trusted" }, { scope: manage }, true],
    ["the console, for users of every organization", { ...foreign, standing: "service" }, { scope: manage }, false],
  ])("%s", (_, client, request, asked) => {
    expect(needsConfirmation(client, { ...theirOwn, ...request })).toBe(asked);
  });
});

describe("the scope of a consent", () => {
  it("includes what the app learns or may do, and the organization it restricts a sign-in to", () => {
    const restricting = ["urn:service:iam:org:id:acme", "urn:service:iam:org:domain:primary:acme.test"];
    const scope = ["openid", "email", ...restricting, "urn:service:iam:org:idp:id:x"];
    expect(scopeToConfirm({ scope })).toEqual(["openid", "email", ...restricting]);
    for (const one of restricting) expect(disclosuresOf([one])).toEqual(["organization"]);
  });

  it("includes what the claims parameter requests individually (OIDC Core §5.5)", () => {
    const claimsRequest = { userinfo: { email: {} }, idToken: { birthdate: {}, unheard_of: {} } };
    expect(scopeToConfirm({ scope: ["openid"], claimsRequest }).sort()).toEqual(["email", "openid", "profile"]);
  });

  it("has texts for every scope that reveals or permits something", () => {
    expect(disclosuresOf(["openid"])).toEqual([]);
    expect(disclosuresOf(["offline_access", "address", "phone", "email", "profile", "openid"])).toEqual([
      "profile",
      "email",
      "phone",
      "address",
      "offline",
    ]);
    expect(disclosuresOf(["urn:service:iam:org:project:role:admin"])).toEqual(["roles"]);
    expect(disclosuresOf(["urn:service:iam:org:projects:roles"])).toEqual(["roles"]);
    expect(disclosuresOf(["urn:service:iam:user:metadata", "urn:service:iam:user:resourceowner"])).toEqual([
      "organization",
      "metadata",
    ]);
    expect(disclosuresOf(["urn:service:iam:org:project:id:p2:aud"])).toEqual(["otherApps"]);
    expect(disclosuresOf(["urn:service:iam:org:project:id:service:aud"])).toEqual(["management"]);
  });
});
