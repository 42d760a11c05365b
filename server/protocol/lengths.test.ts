import { describe, expect, it } from "vitest";
import { readRedirectTarget } from "./authorization-request";
import { checkLengths } from "./lengths";
import { parametersFrom } from "./parameters";

describe("the limits of parameters (rule AUTHORIZE-13)", () => {
  it.each([
    ["é", 2048],
    ["🐎", 1024],
    ["a", 4096],
  ])("count bytes: state has at most %s × %i", (character, most) => {
    const of = (count: number) =>
      parametersFrom(Object.entries({ client_id: "web", redirect_uri: "x", state: character.repeat(count) }));
    expect(checkLengths(of(most), ["state"])).toBeUndefined();
    expect(readRedirectTarget(of(most))).toMatchObject({ state: character.repeat(most) });
    const description = "state is longer than 4096 bytes";
    expect(checkLengths(of(most + 1), ["state"])).toMatchObject({ error: "invalid_request", description });
    expect(readRedirectTarget(of(most + 1))).toMatchObject({ state: undefined });
  });
});
