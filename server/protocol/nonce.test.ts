import { describe, expect, it } from "vitest";
import { checkNonce } from "./nonce";

describe("nonce (OIDC Core §3.2.2.1)", () => {
  it.each([
    [undefined, "code", undefined],
    ["n", "code", undefined],
    [undefined, "id_token", "invalid_request"],
    [undefined, "id_token token", "invalid_request"],
    ["n", "id_token", undefined],
    ["n", "id_token token", undefined],
  ] as const)("%s with %s: %s", (nonce, responseType, error) => {
    expect(checkNonce(nonce, responseType)?.error).toBe(error);
  });
});
