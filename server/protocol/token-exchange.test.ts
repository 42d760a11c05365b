import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actorClaim, actorSubjects } from "./actor";
import { isError } from "./oauth-error";
import { exchangedActor, exchangedRights, mayExchange, mayLast, type Presented } from "./token-exchange";

const aud = (project: string) => `urn:service:iam:org:project:id:${project}:aud`;
const token = (over: Partial<Presented> = {}): Presented => ({
  userId: "u-ada",
  scope: ["openid", "profile", "offline_access"],
  audience: ["web", "p1"],
  act: undefined,
  ...over,
});
const nothing = { scope: undefined, audience: [] };

type Case = [requested: Parameters<typeof exchangedRights>[0], subject: Presented, actor: Presented | undefined];
const rightsOf = (...[requested, subject, actor]: Case) =>
  exchangedRights(requested, subject, actor, { mayManage: false });

describe("the rights of an exchanged token (RFC 8693 §2.1)", () => {
  it.each<[string, Case, unknown]>([
    [
      "are those of the subject by default, without offline_access",
      [nothing, token(), undefined],
      { scope: ["openid", "profile"], audience: ["web", "p1"] },
    ],
    [
      "may be narrower, in the requested order",
      [{ scope: ["profile"], audience: ["p1"] }, token(), undefined],
      { scope: ["profile"], audience: ["p1"] },
    ],
    [
      "are those of the actor if the subject has none",
      [nothing, token({ scope: undefined, audience: [] }), token({ scope: ["openid"], audience: ["ci"] })],
      { scope: ["openid"], audience: ["ci"] },
    ],
    [
      "are openid for a user id",
      [nothing, token({ scope: undefined }), undefined],
      { scope: ["openid"], audience: ["web", "p1"] },
    ],
    [
      "may combine those of both",
      [
        { scope: ["profile", "email"], audience: ["ci", "web"] },
        token(),
        token({ scope: ["email"], audience: ["ci"] }),
      ],
      { scope: ["profile", "email"], audience: ["ci", "web"] },
    ],
    [
      "include offline_access on request",
      [{ scope: ["offline_access"], audience: [] }, token(), undefined],
      { scope: ["offline_access"], audience: ["web", "p1"] },
    ],
    [
      "include offline_access even if the subject does not have it",
      [{ scope: ["offline_access"], audience: [] }, token({ scope: ["openid"] }), undefined],
      { scope: ["offline_access"], audience: ["web", "p1"] },
    ],
    [
      "exclude the scope of an audience that is omitted",
      [
        { scope: undefined, audience: ["p1"] },
        token({ scope: ["openid", aud("p2")], audience: ["p1", "p2"] }),
        undefined,
      ],
      { scope: ["openid"], audience: ["p1"] },
    ],
  ])("%s", (_, args, expected) => {
    expect(rightsOf(...args)).toEqual(expected);
  });

  it.each<[string, Case, string]>([
    ["a wider scope", [{ scope: ["openid", "email"], audience: [] }, token(), undefined], "invalid_scope"],
    [
      "an audience of neither",
      [{ scope: undefined, audience: ["p2"] }, token(), token({ audience: ["ci"] })],
      "invalid_target",
    ],
    ["another audience by a scope", [{ scope: [aud("p2")], audience: [] }, token(), undefined], "invalid_scope"],
    [
      "a reserved scope for an id_token",
      [{ scope: [aud("service")], audience: [] }, token({ scope: undefined }), undefined],
      "invalid_scope",
    ],
  ])("exclude %s: %s", (_, args, error) => {
    expect(rightsOf(...args)).toMatchObject({ error });
  });

  it("include the right to manage only for a client that may manage itself (rule TRUST-2)", () => {
    const managing = token({ scope: ["openid", aud("service")], audience: ["console", "service"] });
    expect(rightsOf(nothing, managing, undefined)).toEqual({ scope: ["openid"], audience: ["console"] });
    expect(rightsOf({ scope: undefined, audience: ["service"] }, managing, undefined)).toMatchObject({
      error: "invalid_target",
    });
    expect(exchangedRights(nothing, managing, undefined, { mayManage: true })).toEqual({
      scope: ["openid", aud("service")],
      audience: ["console", "service"],
    });
  });

  const scopes = fc.array(fc.constantFrom("openid", "profile", "email", "offline_access", aud("p1"), aud("p2")));
  const audiences = fc.array(fc.constantFrom("web", "p1", "p2", "ci"));
  const presented = fc.record({
    userId: fc.constant("u"),
    scope: fc.option(scopes, { nil: undefined }),
    audience: audiences,
    act: fc.constant(undefined),
  });

  it("never exceed those of the presented tokens, for any request (CVE-2026-56668)", () => {
    const request = fc.record({ scope: fc.option(scopes, { nil: undefined }), audience: audiences });
    fc.assert(
      fc.property(request, presented, fc.option(presented, { nil: undefined }), (requested, subject, actor) => {
        const rights = rightsOf(requested, subject, actor);
        if (isError(rights)) return;
        const union: string[] = [...subject.audience, ...(actor?.audience ?? [])];
        expect(rights.audience.every((one) => union.includes(one))).toBe(true);
        for (const scope of rights.scope) {
          if (scope === "offline_access") continue; // its lifetime is limited by mayLast
          const had = subject.scope?.includes(scope) || actor?.scope?.includes(scope);
          expect(had || (subject.scope === undefined && !scope.startsWith("urn:"))).toBe(true);
        }
      }),
    );
  });
});

describe("whether an exchanged token may outlive those it was made from", () => {
  it.each<[boolean, readonly string[] | undefined, readonly string[] | undefined]>([
    [true, ["openid", "offline_access"], undefined],
    [true, ["openid"], ["offline_access"]],
    [true, undefined, ["openid", "offline_access"]],
    [false, undefined, undefined],
    [false, undefined, ["openid"]],
    [false, ["openid"], undefined],
    [false, ["openid"], ["openid"]],
  ])("is %s for scopes of the subject %j and of the actor %j", (expected, subject, actor) => {
    expect(mayLast(token({ scope: subject }), actor && token({ scope: actor }))).toBe(expected);
  });
});

describe("the actors of an exchanged token (RFC 8693 §4.1)", () => {
  const chain = (...subjects: string[]) => actorClaim("https://id", subjects);
  const act = (subject: Partial<Presented>, actor?: Partial<Presented>) => {
    const claim = exchangedActor("https://id", token(subject), actor && token(actor));
    return isError(claim) ? claim.error : actorSubjects(claim);
  };

  it("are empty without an actor", () => {
    expect(act({})).toEqual([]);
  });

  it("include all earlier actors, so that a delegation token never loses its chain", () => {
    expect(act({ act: chain("support") })).toEqual(["support"]);
    expect(act({ act: chain("b", "a") })).toEqual(["b", "a"]);
  });

  it("are the actor, then the actors of the actor, then the actors of the subject", () => {
    expect(act({ act: chain("a") }, { userId: "c", act: chain("b") })).toEqual(["c", "b", "a"]);
  });

  it("are rejected when the chain gets too long", () => {
    expect(act({ act: chain(..."abcdefghij") }, { userId: "k" })).toBe("invalid_request");
  });
});

describe("tokens that a client may exchange", () => {
  const client = { clientId: "web", projectId: "p1", organizationId: "acme", origin: "administrator" } as const;
  it.each([
    [["web", "p1"], "web", true],
    [["other", "p1"], "other", true],
    [["ci"], "ci", true],
    [[], "ci", true],
    [["other", "p2"], "other", false],
    [["ci", "p2"], "ci", false],
    [["ci", "service"], "ci", false],
  ])("include one for %j issued to %s: %s", (audience, holder, expected) => {
    expect(mayExchange(audience, { clientId: holder, organizationId: "acme" }, client)).toBe(expected);
  });

  it.each([
    [["evil", "p1"], true],
    [["ci"], false],
    [[], false],
  ])("include one for %j of another organization's user: %s", (audience, expected) => {
    expect(mayExchange(audience, { clientId: "ci", organizationId: "evil" }, client)).toBe(expected);
  });
});
