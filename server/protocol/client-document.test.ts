import { describe, expect, it } from "vitest";
import { documentLifetime, documentUrl, isDocumentAccepted, isJsonType } from "./client-document";

describe("a client id that is the URL of a metadata document (draft -02 §3)", () => {
  it.each([
    "https://app.example.com/client.json",
    "https://app.example.com/",
    "https://app.example.com:8443/oauth/client",
    "https://xn--bcher-kva.example/c?v=1",
    "https://localhost:3000/client",
  ])("may be %s", (clientId) => {
    expect(documentUrl(clientId)?.href).toBe(clientId);
  });

  it.each([
    ["http://app.example.com/client", "plain http"],
    ["https://app.example.com", "no path"],
    ["https://app.example.com?x=/", "no path before the query"],
    ["https://app.example.com/client#x", "a fragment"],
    ["https://app.example.com/#", "an empty fragment"],
    ["https://user@app.example.com/client", "a user name"],
    ["https://user:pw@app.example.com/client", "a password"],
    ["https://app.example.com/a/../client", "a dot segment"],
    ["https://app.example.com/./client", "a single dot"],
    ["https://app.example.com/%2e%2e/client", "an encoded dot segment"],
    ["https://app.example.com:443/client", "the default port"],
    ["https://APP.example.com/client", "upper case in the host"],
    ["HTTPS://app.example.com/client", "upper case in the scheme"],
    ["https://bücher.example/client", "a host that is not ASCII"],
    ["https://app.example.com./client", "a host that ends in a dot"],
    ["https://app.example.com/a b", "a space"],
    [`https://app.example.com/${"x".repeat(300)}`, "more than 256 bytes"],
    ["https:///client", "no host"],
    ["web", "no URL"],
  ])("may not be %s: %s", (clientId) => {
    expect(documentUrl(clientId)).toBeUndefined();
  });

  const url = new URL("https://a.example.com/c");
  it.each([
    [{ enabled: false, allowedHosts: ["a.example.com"], deniedHosts: [] }, false],
    [{ enabled: true, allowedHosts: [], deniedHosts: [] }, true],
    [{ enabled: true, allowedHosts: ["*.example.com"], deniedHosts: [] }, true],
    [{ enabled: true, allowedHosts: ["example.com"], deniedHosts: [] }, false],
    [{ enabled: true, allowedHosts: ["a.example.com"], deniedHosts: ["*.example.com"] }, false],
    [{ enabled: true, allowedHosts: ["b.example.com"], deniedHosts: [] }, false],
  ])("is accepted by %j: %s", (hosts, expected) => {
    expect(isDocumentAccepted(hosts, url)).toBe(expected);
  });

  it("does not take a host that only ends like an allowed one for a subdomain", () => {
    const hosts = { enabled: true, allowedHosts: ["*.example.com"], deniedHosts: [] };
    expect(isDocumentAccepted(hosts, new URL("https://evilexample.com/c"))).toBe(false);
    expect(isDocumentAccepted(hosts, new URL("https://example.com/c"))).toBe(false);
  });

  it.each([
    ["application/json", true],
    ["application/json; charset=utf-8", true],
    ["application/client-metadata+json", true],
    ["text/html", false],
    ["text/plain; application/json", false],
    ["application/jsonp", false],
    [undefined, false],
  ])("is sent as %s: %s", (type, expected) => {
    expect(isJsonType(type)).toBe(expected);
  });

  const now = Date.parse("2026-01-01T00:00:00Z");
  const MINUTE = 60_000;
  it.each([
    [{}, 5 * MINUTE],
    [{ "cache-control": "max-age=3600" }, 60 * MINUTE],
    [{ "cache-control": "public, max-age=3600", age: "600" }, 50 * MINUTE],
    [{ "cache-control": "max-age=10" }, 5 * MINUTE],
    [{ "cache-control": "max-age=99999999" }, 24 * 60 * MINUTE],
    [{ "cache-control": "no-store, max-age=3600" }, 5 * MINUTE],
    [{ "cache-control": "no-cache" }, 5 * MINUTE],
    [{ expires: "Thu, 01 Jan 2026 02:00:00 GMT" }, 120 * MINUTE],
    [{ "cache-control": "max-age=600", expires: "Thu, 01 Jan 2026 02:00:00 GMT" }, 10 * MINUTE],
    [{ expires: "0" }, 5 * MINUTE],
    [{ "cache-control": "max-age=900", age: "nonsense" }, 15 * MINUTE],
  ])("is kept by its headers %j, for five minutes to a day", (headers, expected) => {
    expect(documentLifetime(headers, now)).toBe(expected);
  });
});
