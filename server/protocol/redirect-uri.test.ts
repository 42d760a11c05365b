import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isReason } from "./reason";
import { checkRedirectUri, matchPostLogoutRedirectUri, matchRedirectUri, type RedirectRules } from "./redirect-uri";

const web: RedirectRules = {
  applicationType: "web",
  devMode: false,
  authenticationMethod: "client_secret_basic",
  responseTypes: ["code"],
};
const implicitWeb: RedirectRules = { ...web, responseTypes: ["code", "id_token"] };
const publicWeb: RedirectRules = { ...web, authenticationMethod: "none" };
const browser: RedirectRules = { ...publicWeb, applicationType: "user_agent" };
const native: RedirectRules = { ...publicWeb, applicationType: "native" };
const development = (rules: RedirectRules): RedirectRules => ({ ...rules, devMode: true });

const dangerous = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "javascript://rp.test/%0aalert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "vbscript:x",
  "blob:https://rp.test/x",
  "about:blank",
  "view-source:https://rp.test/",
  "filesystem:https://rp.test/temporary/x",
  "intent://rp.test/cb",
  "mailto:a@rp.test",
  "urn:ietf:wg:oauth:2.0:oob",
];

const malformed = [
  "",
  "/cb",
  "//rp.test/cb",
  "rp.test/cb",
  "1app:/cb",
  "https:rp.test/cb",
  "https:/rp.test/cb",
  "https:///cb",
  "https://",
  "https://rp.test/cb#",
  "https://rp.test/cb#fragment",
  "https://user@rp.test/cb",
  "https://user:pw@rp.test/cb",
  "https://rp.test@evil.test/cb",
  "https://*.rp.test/cb",
  "https://rp.test/*",
  "https://rp.test\\@evil.test/cb",
  "https://rp.test/c b",
  " https://rp.test/cb",
  "https://rp.test/cb\n",
  "https://rp.test/\u0000",
  "https://rp.test/%0",
  "https://rp.test:99999/cb",
  "https://rp.test:/cb",
  "https://a;b.test/cb",
  "https://rp.test'/cb",
  "https://münchen.test/cb",
  "https://[::1/cb",
  "java\tscript:alert(1)",
  `https://rp.test/${"x".repeat(2048)}`,
];

describe("registering a redirect URI (RFC 6749 §3.1.2, RFC 9700 §2.1)", () => {
  it.each(dangerous)("rejects %j for every kind of app, including development mode", (uri) => {
    for (const rules of [web, browser, native]) {
      expect(isReason(checkRedirectUri(uri, rules))).toBe(true);
      expect(isReason(checkRedirectUri(uri, development(rules)))).toBe(true);
    }
  });

  it.each(malformed)("rejects %j", (uri) => {
    for (const rules of [web, browser, native]) expect(isReason(checkRedirectUri(uri, development(rules)))).toBe(true);
  });

  it.each([
    ["https://rp.test/cb", { web, implicitWeb, publicWeb, browser, native }],
    ["https://rp.test", { web, browser }],
    ["https://rp.test:8443/cb?tenant=1&x=a%2Fb", { web, browser, native }],
    ["https://xn--mnchen-3ya.test/cb", { web }],
    ["https://192.0.2.1/cb", { web }],
    ["https://[2001:db8::1]:8443/cb", { web }],
    ["http://rp.test/cb", { web, dev: development(browser), devNative: development(native) }],
    ["http://localhost:3000/cb", { web, implicitWeb, publicWeb, browser, native }],
    ["http://127.0.0.1/cb", { native }],
    ["http://[::1]:8000/", { native }],
    ["com.example.app:/oauth2redirect", { native }],
    ["com.example.app://callback/x?y=1", { native }],
    ["com.example.app:cb", { native }],
    ["com.example.app:/cb?x=a://b@c", { native }],
    ["https://rp.test/cb?codes=1&estate=2&x=code", { web, native }],
    ["https://rp.test/code/state?next=%2Fcb%3Fcode%3D1", { web }],
    ["HTTPS://rp.test/cb", { web }],
    [`https://rp.test/${"x".repeat(2032)}`, { web }],
  ])("accepts %s for permitted clients", (uri, accepted) => {
    for (const [name, rules] of Object.entries(accepted))
      expect([name, checkRedirectUri(uri, rules)]).toEqual([name, undefined]);
  });

  it.each<[string, Record<string, RedirectRules>]>([
    ["http://rp.test/cb", { implicitWeb, publicWeb, browser, native }],
    ["http://localhost.evil.test/cb", { native }],
    ["http://127.0.0.1.evil.test/cb", { native }],
    ["http://localhost@evil.test/cb", { native }],
    ["http://127.0.0.2/cb", { native }],
    ["com.example.app:/cb", { web, browser, dev: development(web) }],
    ["com.example.app://user@host/cb", { native }],
    ...["myapp:cb", "my-app:/cb", "myapp.://cb", "my..app:/cb", "steam://run/1"].map(
      (uri): [string, Record<string, RedirectRules>] => [uri, { native }],
    ),
  ])("rejects %s for other clients", (uri, refused) => {
    for (const [name, rules] of Object.entries(refused)) {
      expect([name, isReason(checkRedirectUri(uri, rules))]).toEqual([name, true]);
    }
  });

  const brings = ["code=1", "STATE=x", "a=b&iss=x", "error", "error%5Fdescription=x", "%63ode=1", "x;session_state=1"];
  it.each([
    ...brings.concat(
      "code[]=1",
      "+code=1",
      "response=x",
      "id_token=",
      "scope=openid",
      "expires_in=1",
      "a?access_token=1",
    ),
    ...["error_uri=x", "token_type=x", "%69%64_token=1", "state%00=1"],
  ])("rejects ?%s, which would duplicate a response parameter, even if it was registered before", (query) => {
    for (const [base, rules] of [
      ["https://rp.test/cb", web],
      ["https://rp.test", browser],
      ["com.example.app:cb", native],
    ] as const) {
      const uri = `${base}?${query}`;
      expect(checkRedirectUri(uri, rules)).toMatchObject({ id: "answer_parameter" });
      expect(matchRedirectUri({ ...rules, redirectUris: [uri] }, uri)).toBe(false);
      expect(matchPostLogoutRedirectUri({ ...rules, postLogoutRedirectUris: [uri] }, uri)).toBe(false);
    }
  });

  it.each(
    "ms-msdt search-ms ms-settings itms-services shell smb ldap res steam microsoft-edge chrome-extension x-apple.systempreferences web+app"
      .split(" ")
      .map((scheme) => `${scheme}:/cb`),
  )("sends nobody to %s, which the operating system opens (RFC 8252 §7.1)", (uri) => {
    expect(checkRedirectUri(uri, native)?.id).toMatch(/^(?:own_)?scheme$/);
    expect(matchRedirectUri({ ...native, redirectUris: [uri] }, uri)).toBe(false);
  });

  it("still accepts a scheme without a dot that was registered before a dot was required", () => {
    expect(matchRedirectUri({ ...native, redirectUris: ["myapp:/cb"] }, "myapp:/cb")).toBe(true);
  });

  it("accepts or rejects any text, and accepts only absolute URLs without fragment or user (property)", () => {
    const text = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: "binary" }),
      fc
        .tuple(fc.constantFrom("https://", "http://", "app:", "https://rp.test"), fc.string())
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(web, browser, native, development(native)), (uri, rules) => {
        if (checkRedirectUri(uri, rules) !== undefined) return;
        const url = new URL(uri);
        expect([url.hash, url.username, url.password]).toEqual(["", "", ""]);
        expect(uri).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });
});

describe("matching the redirect URI of a request (RFC 9700 §4.1.3)", () => {
  const client = { ...web, redirectUris: ["https://rp.test/cb", "https://rp.test/cb?tenant=1"] };

  it("accepts exactly the registered URIs", () => {
    for (const uri of client.redirectUris) expect(matchRedirectUri(client, uri)).toBe(true);
  });

  it.each([
    "https://rp.test/cb/",
    "https://rp.test/cb/x",
    "https://rp.test/CB",
    "https://RP.test/cb",
    "https://rp.test:443/cb",
    "https://rp.test/cb?",
    "https://rp.test/cb?a=1",
    "https://rp.test/cb?tenant=1&tenant=2",
    "https://rp.test/cb#",
    "https://rp.test/x/../cb",
    "https://rp.test/cb/..%2f",
    "https://rp.test/cb%00",
    "https://rp.test/%63b",
    "https://a@rp.test/cb",
    "https://rp.test\\cb",
    "https://rp.test.evil.test/cb",
    "https://rр.test/cb",
    "http://rp.test/cb",
    "",
  ])("rejects %j", (uri) => {
    expect(matchRedirectUri(client, uri)).toBe(false);
  });

  it.each([...dangerous, ...malformed.filter((uri) => uri !== "")])(
    "rejects %j even if a row of the database contains it",
    (uri) => {
      for (const rules of [web, browser, native, development(native)]) {
        expect(matchRedirectUri({ ...rules, redirectUris: [uri] }, uri)).toBe(false);
        expect(matchPostLogoutRedirectUri({ ...rules, postLogoutRedirectUris: [uri] }, uri)).toBe(false);
      }
    },
  );

  it("rejects plain http as soon as the client may not use it any more", () => {
    const uri = "http://rp.test/cb";
    expect(matchRedirectUri({ ...development(browser), redirectUris: [uri] }, uri)).toBe(true);
    expect(matchRedirectUri({ ...browser, redirectUris: [uri] }, uri)).toBe(false);
  });

  it("matches only registered strings, except for loopback addresses (property)", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom(...client.redirectUris)), (uri) => {
        expect(matchRedirectUri(client, uri)).toBe(client.redirectUris.includes(uri));
      }),
    );
  });
});

describe("loopback addresses of native apps (RFC 8252 §7.3)", () => {
  const app = {
    ...native,
    redirectUris: ["http://127.0.0.1/cb", "http://localhost:1/x?y=1", "http://[::1]:80", "com.example.app:/cb"],
  };

  it.each([
    "http://127.0.0.1/cb",
    "http://127.0.0.1:51004/cb",
    "http://localhost:65535/x?y=1",
    "http://localhost/x?y=1",
    "http://[::1]:9",
    "com.example.app:/cb",
  ])("accept %s", (uri) => {
    expect(matchRedirectUri(app, uri)).toBe(true);
  });

  it.each([
    "http://127.0.0.1:51004/cb/",
    "http://127.0.0.1:51004/other",
    "http://localhost:51004/cb",
    "https://127.0.0.1:51004/cb",
    "http://127.0.0.1:0/cb",
    "http://127.0.0.1:080/cb",
    "http://127.0.0.1:65536/cb",
    "http://127.0.0.1:51004@evil.test/cb",
    "http://127.0.0.1:1:2/cb",
    "http://127.0.0.1.evil.test/cb",
    "http://localhost:51004/x",
    "com.example.app:/cb2",
    "com.example.app://cb",
  ])("reject %s", (uri) => {
    expect(matchRedirectUri(app, uri)).toBe(false);
  });

  it("are for native apps only", () => {
    for (const rules of [web, development(browser)]) {
      expect(matchRedirectUri({ ...rules, redirectUris: ["http://127.0.0.1/cb"] }, "http://127.0.0.1:5000/cb")).toBe(
        false,
      );
    }
  });

  it("accept any port and no other difference (property)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65535 }), fc.string({ maxLength: 5 }), (port, rest) => {
        expect(matchRedirectUri(app, `http://127.0.0.1:${port}/cb`)).toBe(true);
        if (rest !== "") expect(matchRedirectUri(app, `http://127.0.0.1:${port}/cb${rest}`)).toBe(false);
      }),
    );
  });
});

describe("the redirect URI after logout (OIDC RP-Initiated Logout §3)", () => {
  const client = { ...native, postLogoutRedirectUris: ["https://rp.test/bye", "http://127.0.0.1/bye"] };

  it.each([
    ["https://rp.test/bye", true],
    ["http://127.0.0.1/bye", true],
    ["http://127.0.0.1:5000/bye", false],
    ["https://rp.test/bye?foo=bar", false],
    ["https://rp.test/bad_bye", false],
  ])("%s: %s", (uri, expected) => {
    expect(matchPostLogoutRedirectUri(client, uri)).toBe(expected);
  });
});
