import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endSessionClientId, parseEndSessionRequest } from "./end-session";
import { isError } from "./oauth-error";
import { parametersFrom } from "./parameters";

const parse = (values: Record<string, string>) => parseEndSessionRequest(parametersFrom(Object.entries(values)));

describe("logout request (OIDC RP-Initiated Logout §2)", () => {
  it("requires no parameter", () => {
    expect(parse({})).toEqual({ uiLocales: [] });
    expect(parse({ state: "s" })).toEqual({ state: "s", uiLocales: [] });
  });

  it("reads all parameters, including an unsigned hint", () => {
    const values = {
      id_token_hint: "e30.e30.",
      client_id: "web",
      post_logout_redirect_uri: "https://rp.test/bye",
      state: "s-._~".padEnd(128, "x"),
      ui_locales: "de-ch en",
      logout_hint: "ada",
    };
    expect(parse(values)).toEqual({
      idTokenHint: "e30.e30.",
      clientId: "web",
      postLogoutRedirectUri: "https://rp.test/bye",
      state: values.state,
      uiLocales: ["de-CH", "en"],
    });
  });

  it.each([
    ["id_token_hint", 8192],
    ["client_id", 256],
    ["post_logout_redirect_uri", 2048],
    ["state", 4096],
  ])("rejects %s beyond %i characters: invalid_request", (name, max) => {
    expect(isError(parse({ [name]: "x".repeat(max) }))).toBe(false);
    expect(parse({ [name]: "x".repeat(max + 1) })).toMatchObject({ error: "invalid_request" });
  });

  it("rejects a repeated parameter: invalid_request", () => {
    const parameters = parametersFrom([
      ["post_logout_redirect_uri", "https://rp.test/bye"],
      ["post_logout_redirect_uri", "https://evil.test/"],
    ]);
    expect(parseEndSessionRequest(parameters)).toMatchObject({ error: "invalid_request" });
  });

  it.each([
    [undefined, undefined, undefined],
    ["web", undefined, "web"],
    [undefined, "web", "web"],
    ["web", "web", "web"],
  ])("client_id %s, azp %s: %s", (clientId, azp, expected) => {
    expect(endSessionClientId({ clientId }, azp)).toBe(expected);
  });

  it("rejects a client_id that is not the hint's: invalid_request", () => {
    expect(endSessionClientId({ clientId: "web" }, "api")).toMatchObject({ error: "invalid_request" });
  });

  it("never returns a client that contradicts the hint or the request (property)", () => {
    const id = fc.option(fc.constantFrom("a", "b"), { nil: undefined });
    fc.assert(
      fc.property(id, id, (clientId, azp) => {
        const client = endSessionClientId({ clientId }, azp);
        if (isError(client)) expect(clientId === azp).toBe(false);
        else expect([clientId ?? client, azp ?? client]).toEqual([client, client]);
      }),
    );
  });
});
