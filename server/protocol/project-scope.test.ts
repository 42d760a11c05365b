import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  describeScopes,
  grantedScope,
  meaningfulScope,
  type TargetProject,
  undefinedScopes,
  whyNoScopeName,
} from "./project-scope";
import { isKnownScope, isSubset, standardScopes } from "./scope";

const aud = (id: string) => `urn:service:iam:org:project:id:${id}:aud`;
const web = { clientId: "web", projectId: "p1", organizationId: "acme" };
const machine = { clientId: "ci", projectId: undefined, organizationId: "acme" };
const refreshing = { ...web, grantTypes: ["authorization_code", "refresh_token"], mayManage: false };
const plain = { ...web, grantTypes: ["authorization_code"], mayManage: false };

const project = (id: string, organizationId: string, names: string[], isActive = true): TargetProject => ({
  id,
  name: `Project ${id}`,
  organizationId,
  isActive,
  scopes: names.map((name) => ({ name, descriptions: { en: `${name} of ${id}`, "zh-Hant": "讀", de: `de ${name}` } })),
  rolesClaim: undefined,
});
const p1 = project("p1", "acme", ["orders.read", "orders.write"]);
const p2 = project("p2", "acme", ["orders.read", "stock"]);
const foreign = project("g1", "globex", ["orders.read", "vault"]);

describe("names of a project's scopes (RFC 6749 §3.3)", () => {
  it("may be any scope token except this service's own, in any case", () => {
    const free = [
      "orders.read",
      "read:orders",
      "https://api.acme.test/read",
      "!",
      "a".repeat(100),
      "urn:acme:x",
      "roles",
    ];
    expect(free.filter((name) => whyNoScopeName(name) !== undefined)).toEqual([]);
    const taken = [
      ...standardScopes,
      "OpenID",
      "urn:service:x",
      "URN:Service:x",
      "urn:zitadel:iam:user:metadata",
      aud("p1"),
    ];
    const malformed = ["", "a b", 'a"b', "a\\b", "ä", "a\n", "a".repeat(101), ".", ".."];
    expect([...taken, ...malformed].filter((name) => whyNoScopeName(name) === undefined)).toEqual([]);
  });
});

describe("the scopes of projects", () => {
  it.each([
    ["the app's own project defines it", ["orders.write"], web, [p1], []],
    ["case differs", ["Orders.write"], web, [p1], ["Orders.write"]],
    ["a named project of the organization defines it", ["stock"], web, [p1, p2], []],
    ["the project is not named", ["stock"], web, [p1], ["stock"]],
    ["a machine names the project", ["stock"], machine, [p2], []],
    ["a machine names no project", ["stock"], machine, [], ["stock"]],
    ["another organization's project defines it", ["vault"], machine, [foreign], ["vault"]],
    // RFC 9068 §5: the other organization's API would accept it as its own.
    ["the token is for another organization's project, too", ["orders.read"], web, [p1, foreign], ["orders.read"]],
    ["the project is inactive", ["stock"], machine, [project("p2", "acme", ["stock"], false)], ["stock"]],
  ])("are resolved correctly if %s", (_, scope, client, targets, unknown) => {
    expect(undefinedScopes(["openid", ...scope], client, targets)).toEqual(unknown);
  });

  it("are dropped without their definition, as are audiences that are not projects", () => {
    const asked = ["openid", "orders.read", "gone", aud("p1"), aud("p2"), aud("nope"), aud("service"), aud("g1")];
    expect(meaningfulScope(asked, web, [p1, p2])).toEqual([
      "openid",
      "orders.read",
      aud("p1"),
      aud("p2"),
      aud("service"),
    ]);
    // A project of another organization is a project, in any state.
    expect(meaningfulScope(asked, web, [p1, { ...foreign, isActive: false }])).toEqual([
      "openid",
      aud("p1"),
      aud("service"),
      aud("g1"),
    ]);
  });

  it("have the texts of each project, in the preferred language", () => {
    const words = (languages: string[]) => describeScopes(["openid", "orders.read"], web, [p1, p2], languages);
    expect(words(["en-GB"])).toEqual([
      { projectName: "Project p1", scopes: [{ name: "orders.read", text: "orders.read of p1" }] },
      { projectName: "Project p2", scopes: [{ name: "orders.read", text: "orders.read of p2" }] },
    ]);
    expect(words(["zh-Hant-TW"])[0]?.scopes[0]?.text).toBe("讀");
    expect(words(["fr", "de-AT", "en"])[0]?.scopes[0]?.text).toBe("de orders.read");
    expect(words(["fr"])[0]?.scopes[0]?.text).toBe("de orders.read");
    const silent = { ...p1, scopes: [{ name: "orders.read", descriptions: {} }] };
    expect(describeScopes(["orders.read"], web, [silent], ["en"])[0]?.scopes).toEqual([
      { name: "orders.read", text: undefined },
    ]);
    expect(describeScopes(["orders.read"], web, [p1, foreign], ["en"])).toEqual([]);
  });
});

describe("granted scope (OIDC Core §3.1.2.1, §11)", () => {
  it("drops unknown scopes and keeps the order", () => {
    expect(
      grantedScope(meaningfulScope(["email", "admin", "openid", aud("p2"), "stock"], plain, [p1, p2]), plain, "code"),
    ).toEqual(["email", "openid", aud("p2"), "stock"]);
    expect(
      grantedScope(meaningfulScope(["openid", aud("p2"), "stock", aud("service")], plain, [p1]), plain, "code"),
    ).toEqual(["openid"]);
  });

  it.each([
    [refreshing, "code", true],
    [plain, "code", false],
    [refreshing, "id_token token", false],
    [refreshing, "id_token", false],
  ] as const)("%j with response_type %s keeps offline_access: %s", (client, responseType, kept) => {
    expect(grantedScope(["openid", "offline_access"], client, responseType).includes("offline_access")).toBe(kept);
  });

  it("never contains a scope that was not requested (property)", () => {
    const scope = fc.oneof(fc.constantFrom(...standardScopes), fc.string({ maxLength: 20 }));
    fc.assert(
      fc.property(fc.array(scope), (requested) => {
        const granted = grantedScope(meaningfulScope(requested, refreshing, []), refreshing, "code");
        expect(isSubset(granted, requested)).toBe(true);
        expect(granted.every(isKnownScope)).toBe(true);
      }),
    );
  });
});
