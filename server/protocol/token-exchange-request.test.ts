import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everyCell } from "../testing/cells";
import { isError } from "./oauth-error";
import { parametersFrom, parseParameters } from "./parameters";
import { parseTokenExchange, tokenTypes } from "./token-exchange-request";

const { accessToken, refreshToken, idToken, jwt, userId } = tokenTypes;

function parse(fields: Record<string, string | string[]>) {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return parseTokenExchange(parametersFrom(pairs));
}
const subject = { subject_token: "s", subject_token_type: accessToken };
const actor = { actor_token: "a", actor_token_type: accessToken };
const outcome = (fields: Record<string, string | string[]>) => {
  const result = parse(fields);
  return isError(result) ? result.error : "ok";
};

describe("token exchange request (RFC 8693 §2.1)", () => {
  it("accepts a subject token alone and requests an access token by default", () => {
    expect(parse(subject)).toEqual({
      grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject: { token: "s", type: accessToken },
      actor: undefined,
      requestedType: accessToken,
      scope: undefined,
      resources: [],
      audience: [],
    });
  });

  it("accepts all parameters, including several audiences", () => {
    const request = { requested_token_type: jwt, scope: "openid  profile openid", audience: ["p1", "web p2", "p1"] };
    expect(parse({ ...subject, ...actor, ...request })).toMatchObject({
      actor: { token: "a", type: accessToken },
      requestedType: jwt,
      scope: ["openid", "profile"],
      audience: ["p1", "web", "p2"],
    });
  });

  describe("the table of token types (rules EXCHANGE-2, EXCHANGE-3)", () => {
    const subjects = [accessToken, idToken, jwt, userId];
    const actors = [accessToken, idToken];
    const requested = [accessToken, idToken, jwt];
    const all = [accessToken, refreshToken, idToken, jwt, userId, "urn:ietf:params:oauth:token-type:saml2", "jwt"];
    const needActor = [jwt, userId];

    it.each(all)("subject %s", async (subjectType) => {
      const cells = [undefined, ...all].flatMap((actorType) =>
        [undefined, ...all].map(
          (requestedType) => [`actor ${actorType}, requested ${requestedType}`, { actorType, requestedType }] as const,
        ),
      );
      await everyCell(cells, ({ actorType, requestedType }) => {
        const allowed =
          subjects.includes(subjectType as never) &&
          (actorType === undefined ? !needActor.includes(subjectType as never) : actors.includes(actorType as never)) &&
          (requestedType === undefined || requested.includes(requestedType as never));
        const fields = {
          subject_token: "s",
          subject_token_type: subjectType,
          ...(actorType === undefined ? {} : { actor_token: "a", actor_token_type: actorType }),
          ...(requestedType === undefined ? {} : { requested_token_type: requestedType }),
        };
        expect(outcome(fields)).toBe(allowed ? "ok" : "invalid_request");
      });
    });
  });

  it.each<[string, Record<string, string | string[]>, string]>([
    ["without a subject token", {}, "invalid_request"],
    ["with an empty subject token", { ...subject, subject_token: "" }, "invalid_request"],
    ["with a subject token without its type", { subject_token: "s" }, "invalid_request"],
    ["with the type of a subject token alone", { subject_token_type: accessToken }, "invalid_request"],
    ["with an actor token without its type", { ...subject, actor_token: "a" }, "invalid_request"],
    ["with the type of an actor token alone", { ...subject, actor_token_type: accessToken }, "invalid_request"],
    ["with resource and audience", { ...subject, resource: "https://api.test", audience: "p1" }, "invalid_target"],
    ["with a malformed scope", { ...subject, scope: 'openid "' }, "invalid_scope"],
    ["with a token too long", { ...subject, subject_token: "x".repeat(16_385) }, "invalid_request"],
    [
      "with too many audiences",
      { ...subject, audience: Array.from({ length: 101 }, (_, i) => `${i}`) },
      "invalid_target",
    ],
  ])("is rejected %s", (_, fields, error) => {
    expect(outcome(fields)).toBe(error);
  });

  it("for a provider's token names the provider alone, beside an access token of the user", () => {
    const request = { ...subject, requested_issuer: "idp" };
    const form = parseParameters(new URLSearchParams(request).toString());
    expect(isError(form) ? form : parseTokenExchange(form)).toMatchObject({ requestedIssuer: "idp" });
    const wrong: Record<string, string>[] = [
      { actor_token: "a", actor_token_type: accessToken },
      { scope: "openid" },
      { audience: "p1" },
      { resource: "https://api.test" },
      { requested_token_type: tokenTypes.idToken },
      { subject_token_type: tokenTypes.idToken },
      { subject_token: "" },
    ];
    for (const more of wrong) expect(outcome({ ...request, ...more })).toBe("invalid_request");
  });

  it("never throws, and returns only what was sent", () => {
    const names = ["subject_token", "subject_token_type", "actor_token", "actor_token_type", "requested_token_type"];
    const value = fc.oneof(fc.constantFrom(...Object.values(tokenTypes)), fc.string());
    const pair = fc.tuple(fc.constantFrom(...names, "scope", "audience", "resource"), value);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 12 }), (pairs) => {
        const form = parseParameters(new URLSearchParams(pairs).toString());
        if (isError(form)) return;
        const result = parseTokenExchange(form);
        if (isError(result)) return;
        const sent = new Set(pairs.map(([, one]) => one));
        expect(sent).toContain(result.subject.token);
        if (result.requestedType === tokenTypes.idJag || "requestedIssuer" in result) return;
        if (result.actor) expect(sent).toContain(result.actor.token);
        expect(result.actor !== undefined || ![jwt, userId].includes(result.subject.type as never)).toBe(true);
        for (const one of result.audience) expect([...sent].join(" ")).toContain(one);
      }),
    );
  });
});
