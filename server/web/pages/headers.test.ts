import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { contentHash, formActionSource, publicPageHeaders } from "./headers";

const policy = { styleHash: "'sha256-style'" };
const csp = (headers: Record<string, string>) => headers["content-security-policy"]?.split("; ");

describe("headers of a page (CSP Level 3)", () => {
  it("allows the one style, our images and our forms, and nothing else", () => {
    expect(csp(publicPageHeaders(policy))).toEqual([
      "default-src 'none'",
      "style-src 'sha256-style'",
      "img-src 'self' data:",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
  });

  it.each([
    ["https://rp.test/cb?x=1", "https://rp.test https:"],
    ["http://localhost:4000/cb", "http://localhost:4000 http: https:"],
    ["com.example.app:/cb", "com.example.app:"],
  ])("lets the form lead to %s, and a callback on the web lead on to other origins", (formActionOrigin, sources) => {
    const headers = publicPageHeaders({ ...policy, formActionOrigin });
    expect(csp(headers)).toContain(`form-action 'self' ${sources}`);
  });

  it("allows a script by its hash only", () => {
    const headers = publicPageHeaders({ ...policy, scriptHash: contentHash("1") });
    const digest = createHash("sha256").update("1").digest("base64");
    expect(csp(headers)).toContain(`script-src 'sha256-${digest}'`);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
  });

  it("is not framed, sniffed, cached or named to other sites", () => {
    expect(publicPageHeaders(policy)).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
    });
  });
});

describe("form-action source of a redirect URI", () => {
  it.each([
    ["https://rp.test/cb", "https://rp.test"],
    ["https://rp.test:8443/cb", "https://rp.test:8443"],
    ["https://rp.test", "https://rp.test"],
    ["http://127.0.0.1:51004/cb", "http://127.0.0.1:51004"],
    ["https://bücher.test/cb", "https://xn--bcher-kva.test"],
    // CSP cannot express an IPv6 address or the host of a private scheme.
    ["http://[::1]:51004/cb", "http:"],
    ["com.example.app:/cb", "com.example.app:"],
    // Characters that would end the directive, add one or become a wildcard are not included.
    ["https://a;script-src/cb", "https:"],
    ["https://*.test/cb", "https:"],
    ["https://a,b/cb", "https:"],
    ["javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["not an address", undefined],
    [undefined, undefined],
  ])("%s → %s", (uri, source) => {
    expect(formActionSource(uri)).toBe(source);
  });
});
