import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "./oauth-error";
import { parsePrompt, prompts } from "./prompt";

describe("prompt (OIDC Core §3.1.2.1)", () => {
  it.each([
    [undefined, []],
    ["none", ["none"]],
    ["login", ["login"]],
    ["select_account", ["select_account"]],
    ["create", ["create"]],
    ["consent", ["consent"]],
    ["login consent login", ["login", "consent"]],
  ])("reads %j", (raw, values) => {
    expect(parsePrompt(raw)).toEqual(values);
  });

  it.each([
    "none login",
    "login none",
    "none consent",
    "Login",
    "reauthenticate",
    "login  consent",
    "login,consent",
    " ",
  ])("rejects %j: invalid_request", (raw) => {
    expect(parsePrompt(raw)).toMatchObject({ error: "invalid_request" });
  });

  it("parses any text to known values or an error (property)", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom(...prompts)).map((p) => p.join(" ")),
        ),
        (raw) => {
          const values = parsePrompt(raw);
          if (isError(values)) return;
          expect(new Set(values).size).toBe(values.length);
          expect(values.includes("none") && values.length > 1).toBe(false);
        },
      ),
    );
  });
});
