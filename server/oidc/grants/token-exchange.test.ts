import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenTypes } from "../../protocol/token-exchange-request";
import { everyCell } from "../../testing/cells";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import {
  clientJwt,
  EVERYTHING,
  type ExchangeForm,
  exchange,
  exchangeJwtCredentials,
  machineToken,
  personTokens,
} from "../../testing/exchange";
import { basic, errorOf, postToken, type Tokens, userinfo } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { P1_SCOPE, tokenBootstrap } from "../../testing/token-example";
import { verifyAccessToken } from "../access-tokens";

type Kind = keyof typeof tokenTypes;
const KINDS = ["accessToken", "jwtAccessToken", "refreshToken", "idToken", "jwt", "userId"] as const;
/** Returns the token type of each kind: a JWT access token is an access token, too. */
const typeOf = (kind: (typeof KINDS)[number]): Kind => (kind === "jwtAccessToken" ? "accessToken" : kind);

describe.each(ruleDatabases)(
  "token exchange: the table of token types (RFC 8693 §2.1, rules EXCHANGE-2, EXCHANGE-3) on %s",
  (kind) => {
    let service: TestService;
    let subjects: Record<(typeof KINDS)[number], string>;
    let actors: Record<(typeof KINDS)[number], string>;
    beforeAll(async () => {
      service = await testService(kind, tokenBootstrap);
      const make = async (user: string, userId: string) => {
        const tokens = await personTokens(service, { user, scope: "openid profile offline_access" });
        const jwt = await exchange(service, { subject: ["accessToken", tokens.access_token], requested: "jwt" });
        return {
          accessToken: tokens.access_token,
          jwtAccessToken: jwt.access_token ?? "",
          refreshToken: tokens.refresh_token,
          idToken: tokens.id_token,
          jwt: await clientJwt(userId),
          userId,
        };
      };
      subjects = await make("eve", "u-eve");
      actors = await make("support", "u-support");
    });
    afterAll(() => service.close());

    const cells = [undefined, ...KINDS].flatMap((actor) =>
      ([undefined, "accessToken", "refreshToken", "idToken", "jwt", "userId"] as const).map(
        (requested) => [`actor ${actor}, requested ${requested}`, { actor, requested }] as const,
      ),
    );
    // The accepted types do not depend on storage: on the other database, a row has every actor and request.
    const tried = kind === "sqlite" ? KINDS : (["accessToken"] as const);
    it.each(tried)("subject %s", (subject) => everyCell(cells, (cell) => checkExchange({ subject, ...cell })));

    interface Asked {
      subject: (typeof KINDS)[number];
      actor: (typeof KINDS)[number] | undefined;
      requested: Kind | undefined;
    }
    async function checkExchange({ subject, actor, requested }: Asked) {
      const allowed =
        subject !== "refreshToken" &&
        (actor === undefined
          ? subject !== "jwt" && subject !== "userId"
          : ["accessToken", "jwtAccessToken", "idToken"].includes(actor)) &&
        [undefined, "accessToken", "idToken", "jwt"].includes(requested);
      const form: ExchangeForm = {
        subject: [typeOf(subject), subjects[subject]],
        ...(actor ? { actor: [typeOf(actor), actors[actor]] } : {}),
        ...(requested ? { requested } : {}),
        scope: "openid",
        more: await exchangeJwtCredentials(),
      };
      const answer = await exchange(service, form, null);
      if (!allowed) return void expect([answer.status, answer.error]).toEqual([400, "invalid_request"]);

      expect(answer.status).toBe(200);
      const issued = requested ?? "accessToken";
      expect(answer.issued_token_type).toBe(tokenTypes[issued]);
      expect(answer.token_type).toBe(issued === "idToken" ? "N_A" : "Bearer");
      expect(answer).not.toHaveProperty("refresh_token");
      expect(answer.expires_in).toBeGreaterThan(0);
      expect(answer.scope).toBe("openid");
      const token = answer.access_token ?? "";
      const act = actor ? { iss: BASE_URL, sub: "u-support" } : undefined;
      if (issued === "accessToken") expect(token).toMatch(/^[\w-]{43}$/);
      else {
        expect(decodeProtectedHeader(token).typ).toBe(issued === "jwt" ? "at+jwt" : "JWT");
        expect(decodeJwt(token)).toMatchObject({ sub: "u-eve" });
        expect(decodeJwt(token).act).toEqual(act);
      }
      if (issued === "idToken") {
        expect(decodeJwt(token)).toMatchObject({ aud: "exchange-jwt", azp: "exchange-jwt" });
        expect(answer).not.toHaveProperty("id_token");
        expect((await userinfo(service, token)).status).toBe(401);
      } else {
        expect(decodeJwt(answer.id_token ?? "")).toMatchObject({ sub: "u-eve", aud: "exchange-jwt" });
        expect(decodeJwt(answer.id_token ?? "").act).toEqual(act);
        expect(await (await userinfo(service, token)).json()).toEqual({ sub: "u-eve" });
        const live = await verifyAccessToken(service.ctx, token);
        expect(live).toMatchObject({
          userId: "u-eve",
          clientId: "exchange-jwt",
          actor: act ? JSON.stringify(act) : null,
        });
      }
    }

    const mislabelled: [string, () => ["accessToken" | "idToken" | "jwt" | "userId", string]][] = [
      ["an id_token as access token", () => ["accessToken", subjects.idToken]],
      ["a refresh token as access token", () => ["accessToken", subjects.refreshToken]],
      ["a user id as access token", () => ["accessToken", subjects.userId]],
      ["an access token as id_token", () => ["idToken", subjects.jwtAccessToken]],
      ["an opaque token as id_token", () => ["idToken", subjects.accessToken]],
      ["a JWT of the client as id_token", () => ["idToken", subjects.jwt]],
      ["a JWT of the client as access token", () => ["accessToken", subjects.jwt]],
      ["an id_token as JWT of the client", () => ["jwt", subjects.idToken]],
      ["an access token as JWT of the client", () => ["jwt", subjects.jwtAccessToken]],
      ["a user name as user id", () => ["userId", "eve@acme.test"]],
      ["a user id that does not exist", () => ["userId", "u-nobody"]],
      ["a malformed user id", () => ["userId", "u-eve\0"]],
    ];
    it.each(mislabelled)("rejects %s: invalid_request", async (_, subject) => {
      const form: ExchangeForm = { subject: subject(), actor: ["accessToken", actors.accessToken] };
      const answer = await exchange(service, { ...form, more: await exchangeJwtCredentials() }, null);
      expect([answer.status, answer.error]).toEqual([400, "invalid_request"]);
    });
  },
);

describe.each(ruleDatabases)("token exchange: the request (RFC 8693 §2, RFC 6749 §5.2) on %s", (kind) => {
  let service: TestService;
  let eve: Tokens;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
    eve = await personTokens(service);
  });
  afterAll(() => service.close());
  const subject = (): ExchangeForm["subject"] => ["accessToken", eve.access_token];
  const error = async (form: ExchangeForm, authorization?: string | null) => {
    const { status, error } = await exchange(service, form, authorization);
    return { status, error };
  };

  it("accepts each of the four client authentications (rule CLIENT-1)", async () => {
    const credentials: [Record<string, string>, string | null][] = [
      [{}, basic("exchange", SECRET)],
      [{ client_id: "exchange-post", client_secret: SECRET }, null],
      [{ client_id: "exchange-spa" }, null],
      [await exchangeJwtCredentials(), null],
    ];
    for (const [more, authorization] of credentials) {
      expect((await exchange(service, { subject: subject(), more }, authorization)).status).toBe(200);
    }
  });

  it("narrows scope and audience, and keeps those of the subject if none are requested", async () => {
    const same = await exchange(service, { subject: subject() });
    expect(same.scope).toBe("openid profile email");
    const narrow = await exchange(service, { subject: subject(), scope: "profile", audience: "p1" });
    expect(narrow.scope).toBe("profile");
    expect(narrow).not.toHaveProperty("id_token");
    expect(await verifyAccessToken(service.ctx, narrow.access_token ?? "")).toMatchObject({ audience: "p1" });
    const again = await error({ subject: ["accessToken", narrow.access_token ?? ""], scope: "profile email" });
    expect(again).toEqual({ status: 400, error: "invalid_scope" });
    const back = await error({ subject: ["accessToken", narrow.access_token ?? ""], audience: "exchange" });
    expect(back).toEqual({ status: 400, error: "invalid_target" });
  });

  it("merges the audiences of subject and actor", async () => {
    const actor: ExchangeForm["actor"] = [
      "accessToken",
      await machineToken(service, "actor-bot", `openid ${P1_SCOPE}`),
    ];
    const both = await exchange(service, { subject: subject(), actor, audience: "actor-bot exchange" });
    expect(await verifyAccessToken(service.ctx, both.access_token ?? "")).toMatchObject({
      audience: "actor-bot exchange",
    });
  });

  it("issues a refresh token only with offline_access, and rotates it like any other", async () => {
    const answer = await exchange(service, { subject: subject(), scope: "openid offline_access" });
    expect(answer.refresh_token).toEqual(expect.any(String));
    const form = { grant_type: "refresh_token", refresh_token: answer.refresh_token ?? "" };
    const next = (await (await postToken(service, form, basic("exchange", SECRET))).json()) as Tokens;
    expect(next).toMatchObject({ scope: "openid offline_access", refresh_token: expect.any(String) });
    expect((await userinfo(service, next.access_token)).status).toBe(200);
  });

  it.each<[string, Partial<ExchangeForm>, string | null | undefined, number, string]>([
    ["a wider scope", { scope: "openid phone" }, undefined, 400, "invalid_scope"],
    ["an unknown scope", { scope: "everything" }, undefined, 400, "invalid_scope"],
    ["an audience outside", { audience: "p2" }, undefined, 400, "invalid_target"],
    ["an audience outside together with one inside", { audience: "p1 p2" }, undefined, 400, "invalid_target"],
    ["resource", { more: { resource: "https://api.test" } }, undefined, 400, "invalid_target"],
    [
      "the scope of an audience outside",
      { scope: "urn:service:iam:org:project:id:p2:aud" },
      undefined,
      400,
      "invalid_scope",
    ],
    ["a wrong secret", {}, basic("exchange", "wrong"), 401, "invalid_client"],
    ["no client", {}, null, 401, "invalid_client"],
    ["an app that is not registered for it", {}, basic("web", SECRET), 400, "unauthorized_client"],
    ["an API", {}, basic("api", SECRET), 400, "unauthorized_client"],
    ["an app of a project the token is not meant for", {}, basic("stranger", SECRET), 400, "invalid_request"],
  ])("rejects %s", async (_, form, authorization, status, code) => {
    expect(await error({ subject: subject(), ...form }, authorization)).toEqual({ status, error: code });
  });

  it("rejects a token that was revoked or changed, belongs to an ended session, a client or another service", async () => {
    const own = await postToken(service, { grant_type: "client_credentials" }, basic("exchange", SECRET));
    const bad = [
      `${eve.access_token}x`,
      "x",
      ((await own.json()) as Tokens).access_token,
      eve.id_token.replace(/^[^.]+/, Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")),
    ];
    for (const token of bad) {
      expect(await error({ subject: ["accessToken", token] })).toEqual({ status: 400, error: "invalid_request" });
    }
  });

  it.each([
    ["a sign-in without offline access", "openid profile"],
    ["a sign-in with offline access of the app that signs out", EVERYTHING],
  ])("ends, with all that was exchanged from it in turn, with %s", async (_, scope) => {
    const tokens = await personTokens(service, { scope });
    const first = await exchange(service, {
      subject: ["accessToken", tokens.access_token],
      scope: "openid offline_access",
    });
    const second = await exchange(service, {
      subject: ["accessToken", first.access_token ?? ""],
      scope: "openid offline_access",
    });
    const third = await exchange(service, { subject: ["idToken", second.id_token ?? ""] });
    const all = [first, second, third].map(({ access_token }) => access_token ?? "");
    for (const token of all) expect((await userinfo(service, token)).status).toBe(200);
    await service.fetch(`/oidc/v1/end_session?id_token_hint=${tokens.id_token}`);
    for (const token of all) expect((await userinfo(service, token)).status).toBe(401);
    const form = { grant_type: "refresh_token", refresh_token: second.refresh_token ?? "" };
    expect(await errorOf(await postToken(service, form, basic("exchange", SECRET)))).toMatchObject({
      error: "invalid_grant",
    });
    expect(await error({ subject: ["idToken", second.id_token ?? ""] })).toMatchObject({ error: "invalid_request" });
  });

  it("includes claims in an id_token that was requested alone, and none with an access token", async () => {
    const lone = await exchange(service, { subject: subject(), requested: "idToken" });
    expect(decodeJwt(lone.access_token ?? "")).toMatchObject({ given_name: "eve", email: "eve@acme.test" });
    expect(decodeJwt((await exchange(service, { subject: subject() })).id_token ?? "")).not.toHaveProperty("email");
  });

  it("is audited", async () => {
    const answer = await exchange(service, { subject: subject(), scope: "openid" });
    const live = await verifyAccessToken(service.ctx, answer.access_token ?? "");
    const event = await service.ctx.db.prisma.event.findFirst({ where: { aggregateId: live?.grantId ?? "" } });
    expect(event).toMatchObject({
      type: "grant.exchanged",
      resourceOwner: "acme",
      actor: "u-eve",
      payload: {
        userId: "u-eve",
        clientId: "exchange",
        actors: [],
        scope: "openid",
        subjectTokenType: tokenTypes.accessToken,
      },
    });
  });
});
