import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { describeMistake } from "./mistakes";
import { parseBootstrap } from "./parse";

const clientSecret = "0123456789abcdef0123456789abcdef0123";
const publicJwk = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" });
const publicKey = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });

const organization = (members: object) => ({ organizations: [{ name: "O", ...members }] });
const two = (first: object, second: object) => ({
  organizations: [
    { name: "A", ...first },
    { name: "B", ...second },
  ],
});
const project = (members: object) => organization({ projects: [{ name: "P", ...members }] });
const api = (clientId: string) => ({ name: "A", api: { clientId, clientSecret } });
const oidc = (members: object) => project({ apps: [{ name: "A", oidc: members }] });
const domain = (name: string, members: object = {}) => ({ domain: name, verified: true, ...members });
const domains = (...list: object[]) => organization({ domains: list });
const key = { keyId: "k", publicKey };
const text = (language: string) => ({ type: "init", language });

const O = "organizations[0]";
const P = `${O}.projects[0]`;
const A = `${P}.apps[0].oidc`;
const publicApp = { authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" };

describe("bootstrap file: internal contradictions (rule BOOTSTRAP-3)", () => {
  it.each<[string, unknown, string]>([
    [
      "two default organizations",
      two({ default: true }, { default: true }),
      `organizations[1].default: is the same as ${O}.default`,
    ],
    [
      "a project of the name of the service's audience",
      project({ id: "service" }),
      `${P}.id: is the name of this service itself in audiences: choose another`,
    ],
    [
      "an app of the name of the service's audience",
      oidc({ clientId: "service", clientSecret }),
      `${A}.clientId: is the name of this service itself in audiences: choose another`,
    ],
    [
      "an app of the console's name",
      oidc({ clientId: "console", clientSecret }),
      `${A}.clientId: is the name of the console: choose another`,
    ],
    [
      "a machine of the name of the service's audience",
      organization({ machines: [{ userName: "Service" }] }),
      `${O}.machines[0].userName: is the name of this service itself in audiences: choose another`,
    ],
    ["one organization id twice", two({ id: "x" }, { id: "x" }), `organizations[1].id: is the same as ${O}.id`],
    ["one organization name twice", two({}, { name: "A" }), `organizations[1].name: is the same as ${O}.name`],
    [
      "one id for a person and a machine",
      organization({ users: [{ id: "x", userName: "a" }], machines: [{ id: "x", userName: "b" }] }),
      `${O}.machines[0].id: is the same as ${O}.users[0].id`,
    ],
    [
      "one user name in other letters",
      organization({ users: [{ userName: "Ada" }, { userName: "ＡＤＡ" }] }),
      `${O}.users[1].userName: is the same as ${O}.users[0].userName`,
    ],
    [
      "one login name in two organizations",
      two({ users: [{ userName: "a@x.test" }] }, { machines: [{ userName: "A@X.test" }] }),
      `organizations[1].machines[0].userName: is the same as ${O}.users[0].userName`,
    ],
    [
      "a role twice",
      organization({ users: [{ userName: "a", roles: ["ORG_OWNER", "ORG_OWNER"] }] }),
      `${O}.users[0].roles[1]: is the same as ${O}.users[0].roles[0]`,
    ],
    [
      "a verified domain in two organizations",
      two({ domains: [domain("x.test")] }, { domains: [domain("X.TEST")] }),
      `organizations[1].domains[0].domain: is the same as ${O}.domains[0].domain`,
    ],
    [
      "a user name under a domain of another organization",
      two({ users: [{ userName: "eve@X.test" }] }, { domains: [domain("x.test")] }),
      `${O}.users[0].userName: ends in x.test, which is a verified domain of organizations[1]`,
    ],
    [
      "two primary domains",
      domains(domain("a.test", { primary: true }), domain("b.test", { primary: true })),
      `${O}.domains[1].primary: is the same as ${O}.domains[0].primary`,
    ],
    [
      "an unverified primary domain",
      domains({ domain: "a.test", primary: true }),
      `${O}.domains[0].primary: the primary domain must be verified too: "verified": true`,
    ],
    [
      "one client id twice",
      project({ apps: [api("x"), api("x")] }),
      `${P}.apps[1].api.clientId: is the same as ${P}.apps[0].api.clientId`,
    ],
    [
      "one client id for a machine and an app",
      organization({ machines: [{ userName: "x" }], projects: [{ name: "P", apps: [api("x")] }] }),
      `${P}.apps[0].api.clientId: is the same as ${O}.machines[0].userName`,
    ],
    [
      "one project role twice",
      project({ roles: [{ roleKey: "r" }, { roleKey: "r" }] }),
      `${P}.roles[1].roleKey: is the same as ${P}.roles[0].roleKey`,
    ],
    [
      "one key id of a machine twice",
      organization({ machines: [{ userName: "m", keys: [key, key] }] }),
      `${O}.machines[0].keys[1].keyId: is the same as ${O}.machines[0].keys[0].keyId`,
    ],
    [
      "one kid twice",
      oidc({
        jwks: {
          keys: [
            { ...publicJwk, kid: "k" },
            { ...publicJwk, kid: "k" },
          ],
        },
      }),
      `${A}.jwks.keys[1].kid: is the same as ${A}.jwks.keys[0].kid`,
    ],
    [
      "one text twice",
      organization({ messageTexts: [text("en"), text("EN")] }),
      `${O}.messageTexts[1]: is the same as ${O}.messageTexts[0]`,
    ],
    [
      "two machines of one name, which is their client id as well, with one line",
      organization({ machines: [{ userName: "ci" }, { userName: "CI" }] }),
      `${O}.machines[1].userName: is the same as ${O}.machines[0].userName`,
    ],
  ])("refuses %s", (_, content, line) => expect(lines(content)).toEqual([line]));

  it("allows equal key ids of two machines, and equal user names in two organizations", () => {
    const machines = [
      { userName: "m", keys: [key] },
      { userName: "n", keys: [key] },
    ];
    expect(lines(organization({ machines }))).toEqual([]);
    expect(lines(two({ users: [{ userName: "ada" }] }, { users: [{ userName: "ada" }] }))).toEqual([]);
  });
});

describe("bootstrap file: forbidden URIs of an app (RFC 9700 §2.1)", () => {
  it.each<[string, object, string]>([
    ["script", { redirectUris: ["javascript:alert(1)"] }, `${A}.redirectUris[0]: must not use this scheme: use https`],
    ["a fragment", { redirectUris: ["https://rp.test/#a"] }, `${A}.redirectUris[0]: must not have a fragment (#…)`],
    ["a wildcard", { redirectUris: ["https://*.rp.test/"] }, `${A}.redirectUris[0]: must not have a wildcard (*)`],
    [
      "http for a public app",
      { ...publicApp, redirectUris: ["http://rp.test/cb"] },
      `${A}.redirectUris[0]: must use https`,
    ],
    [
      "data after logout",
      { postLogoutRedirectUris: ["data:x"] },
      `${A}.postLogoutRedirectUris[0]: must not use this scheme: use https`,
    ],
  ])("refuses %s", (_, settings, line) => expect(lines(oidc(settings))).toEqual([line]));

  it("considers the app's other settings", () => {
    const redirectUris = ["http://rp.test/cb"];
    expect(lines(oidc({ ...publicApp, redirectUris, devMode: true }))).toEqual([]);
    expect(lines(oidc({ redirectUris }))).toEqual([]); // confidential, code only
  });
});

function lines(content: unknown): string[] {
  const parsed = parseBootstrap(content);
  return Array.isArray(parsed) ? parsed.map(describeMistake) : [];
}
