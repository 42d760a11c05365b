import { decodeJwt, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalidateDirectory } from "../directory/cache";
import { signingKey } from "../keys/signing-keys";
import { revokeGrantRow } from "../storage/grant/ended-grants";
import { ruleDatabases } from "../testing/database";
import { SECRET } from "../testing/example";
import { clientJwt, exchange, exchangeJwtCredentials, machineToken, personTokens } from "../testing/exchange";
import { basic, postToken, type Tokens } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { machineKey, P1_SCOPE, tokenBootstrap } from "../testing/token-example";
import { verifyAccessToken } from "./access-tokens";
import { GRANT_CLAIM } from "./id-token";

const stranger = await generateKeyPair("RS256", { extractable: true });
const now = () => Math.floor(Date.now() / 1000);

describe.each(ruleDatabases)("the tokens of a token exchange (RFC 8693 §2.1, §5) on %s", (kind) => {
  let service: TestService;
  let support: string;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
    support = (await personTokens(service, { user: "support" })).access_token;
  });
  afterAll(() => service.close());
  const REFUSED = { status: 400, error: "invalid_request" };

  describe("a JWT that the client signed", () => {
    const send = async (jwt: string) => {
      const form = {
        subject: ["jwt", jwt],
        actor: ["accessToken", support],
        more: await exchangeJwtCredentials(),
      } as const;
      const { status, error } = await exchange(
        service,
        { ...form, subject: [...form.subject], actor: [...form.actor] },
        null,
      );
      return { status, error };
    };

    it("names a user by id, with or without iat", async () => {
      expect(await send(await clientJwt("u-eve"))).toMatchObject({ status: 200 });
      expect(await send(await clientJwt("u-eve", { iat: undefined }))).toMatchObject({ status: 200 });
    });

    it("may have the token endpoint as audience if legacyAssertionAudience is on", async () => {
      const forEndpoint = () => clientJwt("u-eve", { aud: `${BASE_URL}/oauth/v2/token` });
      expect(await send(await forEndpoint())).toEqual(REFUSED);
      const { prisma } = service.ctx.db;
      const where = { id: "a-exchange-jwt" };
      const { settings } = await prisma.app.findUniqueOrThrow({ where });
      const legacy = { ...(settings as object), legacyAssertionAudience: true };
      await prisma.app.update({ where, data: { settings: legacy } });
      invalidateDirectory(service.ctx);
      expect(await send(await forEndpoint())).toMatchObject({ status: 200 });
      await prisma.app.update({ where, data: { settings: settings ?? {} } });
      invalidateDirectory(service.ctx);
    });

    it("can be used once if it has a jti, even if the client's own assertions may be reused (allowAssertionReuse)", async () => {
      const { prisma } = service.ctx.db;
      const where = { id: "a-exchange-jwt" };
      const { settings } = await prisma.app.findUniqueOrThrow({ where });
      const reusing = { ...(settings as object), allowAssertionReuse: true };
      await prisma.app.update({ where, data: { settings: reusing } });
      invalidateDirectory(service.ctx);
      const jwt = await clientJwt("u-eve", { jti: crypto.randomUUID() });
      expect([(await send(jwt)).status, (await send(jwt)).status]).toEqual([200, 400]);
      await prisma.app.update({ where, data: { settings: settings ?? {} } });
      invalidateDirectory(service.ctx);
    });

    it.each<[string, string, Record<string, unknown>, CryptoKey?]>([
      ["of an unknown user", "u-nobody", {}],
      ["of a user by name", "eve@acme.test", {}],
      ["of another issuer", "u-eve", { iss: "exchange" }],
      ["for somebody else", "u-eve", { aud: "https://other.test" }],
      ["for us and somebody else", "u-eve", { aud: [BASE_URL, "https://other.test"] }],
      ["of two hours ago", "u-eve", { iat: now() - 7200 }],
      ["without exp", "u-eve", { exp: undefined }],
      ["that has expired", "u-eve", { exp: now() - 120 }],
      ["for more than an hour", "u-eve", { exp: now() + 7200 }],
      ["of another key", "u-eve", {}, stranger.privateKey],
    ])("is rejected %s", async (_, subject, claims, key) => {
      expect(await send(await clientJwt(subject, claims, key))).toEqual(REFUSED);
    });

    it("can be used once if it has a jti: one of 100 concurrent requests succeeds", async () => {
      const jwt = await clientJwt("u-eve", { jti: "once" });
      const answers = await Promise.all(Array.from({ length: 100 }, () => send(jwt)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it("is rejected from a client without registered keys", async () => {
      const jwt = await clientJwt("u-eve", { iss: "exchange" });
      const answer = await exchange(service, { subject: ["jwt", jwt], actor: ["accessToken", support] });
      expect(answer).toMatchObject(REFUSED);
    });
  });

  describe("an id_token", () => {
    const send = async (idToken: string, authorization = basic("exchange", SECRET)) => {
      const { status, error } = await exchange(service, { subject: ["idToken", idToken] }, authorization);
      return { status, error };
    };

    it("is accepted if it was issued to another app of the same project, but not of another project", async () => {
      const { id_token } = await personTokens(service, { client: "web" });
      expect(await send(id_token)).toMatchObject({ status: 200 });
      expect(await send(id_token, basic("stranger", SECRET))).toEqual(REFUSED);
    });

    it("yields the scopes of its grant and no more, regardless of what the user could have consented to", async () => {
      const { id_token } = await personTokens(service, { scope: "openid email" });
      const ask = (scope?: string) => exchange(service, { subject: ["idToken", id_token], scope });
      expect(await ask()).toMatchObject({ status: 200, scope: "openid email" });
      expect(await ask("email")).toMatchObject({ status: 200, scope: "email" });
      for (const more of ["profile", "phone", "address", "urn:service:iam:user:metadata"]) {
        expect(await ask(`openid ${more}`)).toMatchObject({ error: "invalid_scope" });
      }
      expect(await ask("openid urn:service:iam:org:project:id:service:aud")).toMatchObject({ error: "invalid_scope" });
    });

    it("ends with its grant, and so do the tokens it was exchanged for", async () => {
      const { access_token, id_token } = await personTokens(service, { scope: "openid email" });
      const live = await verifyAccessToken(service.ctx, access_token);
      const exchanged = await exchange(service, { subject: ["idToken", id_token] });
      await service.ctx.db.transaction((tx) => revokeGrantRow(tx, live?.grantId ?? "", service.ctx.clock()));
      expect(await send(id_token)).toEqual(REFUSED);
      expect(await verifyAccessToken(service.ctx, exchanged.access_token ?? "")).toBeUndefined();
    });

    it("ends with its session's expiry and idleness, unless its grant has refresh tokens", async () => {
      const [online, offline] = [
        await personTokens(service, { scope: "openid" }),
        await personTokens(service, { scope: "openid offline_access" }),
      ];
      const { sid } = decodeJwt(online.id_token);
      const later = { lastSeenAt: new Date(service.ctx.clock() - service.ctx.config.lifetimes.sessionIdle) };
      await service.ctx.db.prisma.session.updateMany({ data: later });
      expect(await send(online.id_token)).toEqual(REFUSED);
      expect(await verifyAccessToken(service.ctx, online.access_token)).toBeUndefined();
      expect(await send(offline.id_token)).toMatchObject({ status: 200 });
      expect(await verifyAccessToken(service.ctx, offline.access_token)).toMatchObject({ userId: "u-eve" });
      const back = { lastSeenAt: new Date(service.ctx.clock()), expiresAt: new Date(service.ctx.clock()) };
      await service.ctx.db.prisma.session.update({ where: { id: String(sid) }, data: back });
      expect(await send(online.id_token)).toEqual(REFUSED);
      expect(await verifyAccessToken(service.ctx, online.access_token)).toBeUndefined();
    });

    it("is rejected if it contains no grant or another user's", async () => {
      const [mine, other] = [await personTokens(service), await personTokens(service, { user: "boss" })];
      const { [GRANT_CLAIM]: _, ...claims } = decodeJwt(mine.id_token);
      const sign = async (more: Record<string, unknown>) => {
        const key = await signingKey(service.ctx);
        return new SignJWT({ ...claims, ...more })
          .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: "JWT" })
          .sign(key.privateKey);
      };
      expect(await send(await sign({}))).toEqual(REFUSED);
      expect(await send(await sign({ [GRANT_CLAIM]: decodeJwt(other.id_token)[GRANT_CLAIM] }))).toEqual(REFUSED);
      expect(await send(await sign({ [GRANT_CLAIM]: decodeJwt(mine.id_token)[GRANT_CLAIM] }))).toMatchObject({
        status: 200,
      });
    });

    it("is rejected once it has expired, the user is deactivated or the password was changed", async () => {
      const { prisma } = service.ctx.db;
      const { id_token } = await personTokens(service);
      service.advance(3_601_000);
      expect(await send(id_token)).toEqual(REFUSED);
      service.advance(-3_601_000);
      expect(await send(id_token)).toMatchObject({ status: 200 });
      await prisma.user.update({ where: { id: "u-eve" }, data: { state: "inactive" } });
      expect(await send(id_token)).toEqual(REFUSED);
      await prisma.user.update({ where: { id: "u-eve" }, data: { state: "active", validFrom: new Date() } });
      expect(await send(id_token)).toEqual(REFUSED);
      await prisma.user.update({ where: { id: "u-eve" }, data: { validFrom: new Date(0) } });
    });

    it("of a machine is accepted from any client the machine gave it to", async () => {
      const assertion = await new SignJWT({ iss: "m-ci", sub: "m-ci", aud: BASE_URL, iat: now(), exp: now() + 60 })
        .setProtectedHeader({ alg: "RS256", kid: "k1" })
        .sign(machineKey.privateKey);
      const form = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion, scope: "openid" };
      const { id_token } = (await (await postToken(service, form, null)).json()) as Tokens;
      expect(await send(id_token)).toMatchObject({ status: 200 });
    });
  });

  describe("an access token of a machine", () => {
    it("is accepted if it is meant for the client's project, or for the machine only", async () => {
      for (const scope of ["", P1_SCOPE]) {
        const token = await machineToken(service, "ci", scope);
        expect(await exchange(service, { subject: ["accessToken", token] })).toMatchObject({ status: 200 });
      }
      const other = await machineToken(service, "ci", "urn:service:iam:org:project:id:p2:aud");
      expect(await exchange(service, { subject: ["accessToken", other] })).toMatchObject(REFUSED);
      const answer = await exchange(service, { subject: ["accessToken", other] }, basic("stranger", SECRET));
      expect(answer).toMatchObject({ status: 200 });
    });
  });
});
