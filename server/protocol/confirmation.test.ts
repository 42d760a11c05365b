import { describe, expect, it } from "vitest";
import type { Client } from "./client";
import { disclosuresOf, needsConfirmation, scopeToConfirm } from "./confirmation";

type Subject = Pick<Client, "applicationType" | "authenticationMethod" | "isThirdParty">;
const native: Subject = { applicationType: "native", authenticationMethod: "none", isThirdParty: false };
const web: Subject = { applicationType: "web", authenticationMethod: "client_secret_basic", isThirdParty: false };
const browser: Subject = { applicationType: "user_agent", authenticationMethod: "none", isThirdParty: false };

describe("who is asked before an app learns who they are (contract §4, RFC 8252 §8.6)", () => {
  it.each([
    ["a native app on a loopback address", native, "http://127.0.0.1:51004/cb", true],
    ["a native app on an IPv6 loopback address", native, "http://[::1]:51004/cb", true],
    ["a native app with its own scheme", native, "com.example.app:/cb", true],
    ["a native app whose address the system proves (RFC 8252 §7.2)", native, "https://app.example.com/cb", false],
    ["a native app with a secret", { ...native, authenticationMethod: "client_secret_post" }, "app.x:/cb", false],
    ["a web app", web, "https://rp.test/cb", false],
    ["a web app in development", web, "http://localhost:3000/cb", false],
    ["a browser app in development", browser, "http://localhost:3000/cb", false],
    ["a third party's web app", { ...web, isThirdParty: true }, "https://rp.test/cb", true],
    ["a third party's browser app", { ...browser, isThirdParty: true }, "https://rp.test/cb", true],
  ] as const)("%s", (_, client, redirectUri, asked) => {
    expect(needsConfirmation(client, redirectUri)).toBe(asked);
  });
});

describe("what is agreed to", () => {
  it("is what the app is told or may do, not whose sign-in it is for", () => {
    const scope = ["openid", "email", "urn:service:iam:org:id:acme", "urn:service:iam:org:domain:primary:acme.test"];
    expect(scopeToConfirm({ scope })).toEqual(["openid", "email"]);
  });

  it("holds what the claims parameter asks for one by one (OIDC Core §5.5)", () => {
    const claimsRequest = { userinfo: { email: {} }, idToken: { birthdate: {}, unheard_of: {} } };
    expect(scopeToConfirm({ scope: ["openid"], claimsRequest }).sort()).toEqual(["email", "openid", "profile"]);
  });

  it("has words for every scope that tells or allows something", () => {
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
