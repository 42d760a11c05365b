import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parametersFrom } from "./parameters";
import { checkCodeChallenge, checkCodeVerifier, codeChallengeOf, isCodeVerifier } from "./pkce";

// RFC 7636 Appendix B
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const open = { authenticationMethod: "none" } as const;
const confidential = { authenticationMethod: "client_secret_basic" } as const;
const request = (values: Record<string, string>) => parametersFrom(Object.entries(values));

describe("code challenge (RFC 7636 §4.3)", () => {
  it("computes the example of Appendix B", () => {
    expect(codeChallengeOf(verifier)).toBe(challenge);
  });

  it.each([
    [{ code_challenge: challenge, code_challenge_method: "S256" }, open, "code", undefined],
    [{ code_challenge: challenge, code_challenge_method: "S256" }, confidential, "code", undefined],
    [{}, confidential, "code", undefined],
    [{}, open, "id_token", undefined],
    [{}, open, "code", "invalid_request"],
    [{ code_challenge: challenge }, open, "code", "invalid_request"],
    [{ code_challenge: challenge }, confidential, "code", "invalid_request"],
    [{ code_challenge: challenge, code_challenge_method: "plain" }, confidential, "code", "invalid_request"],
    [{ code_challenge: challenge, code_challenge_method: "s256" }, confidential, "code", "invalid_request"],
    [{ code_challenge_method: "S256" }, confidential, "code", "invalid_request"],
    [{ code_challenge: verifier.slice(1), code_challenge_method: "S256" }, open, "code", "invalid_request"],
    [{ code_challenge: `${challenge}x`, code_challenge_method: "S256" }, open, "code", "invalid_request"],
    [{ code_challenge: challenge.replace("-", "+"), code_challenge_method: "S256" }, open, "code", "invalid_request"],
  ] as const)("%j of %j with %s: %s", (values, client, responseType, error) => {
    expect(checkCodeChallenge(request(values), client, responseType)?.error).toBe(error);
  });
});

describe("code verifier (RFC 7636 §4.1, §4.6; RFC 9700 §4.8.2)", () => {
  it.each([
    ["a".repeat(43), true],
    ["a".repeat(128), true],
    ["a".repeat(42), false],
    ["a".repeat(129), false],
    ["AZaz09-._~".repeat(5), true],
    [`${"a".repeat(42)}=`, false],
    [`${"a".repeat(43)}\n`, false],
  ])("%j well-formed: %s", (value, expected) => {
    expect(isCodeVerifier(value)).toBe(expected);
  });

  it.each([
    [challenge, verifier, undefined],
    [null, undefined, undefined],
    [challenge, undefined, "invalid_request"],
    [challenge, `${verifier}x`, "invalid_grant"],
    [challenge, challenge, "invalid_grant"],
    [challenge, "short", "invalid_grant"],
    [null, verifier, "invalid_grant"],
  ])("challenge %s, verifier %s: %s", (kept, sent, error) => {
    expect(checkCodeVerifier(kept, sent)?.error).toBe(error);
  });

  it("matches only the verifier of the challenge (property)", () => {
    const unreserved = fc.constantFrom(..."ABCXYZabcxyz0189-._~");
    const verifiers = fc.string({ unit: unreserved, minLength: 43, maxLength: 128 });
    fc.assert(
      fc.property(verifiers, verifiers, (one, other) => {
        expect(codeChallengeOf(one)).toMatch(/^[A-Za-z0-9_-]{43}$/);
        expect(checkCodeVerifier(codeChallengeOf(one), one)).toBeUndefined();
        expect(checkCodeVerifier(codeChallengeOf(one), other)?.error).toBe(one === other ? undefined : "invalid_grant");
      }),
    );
  });
});
