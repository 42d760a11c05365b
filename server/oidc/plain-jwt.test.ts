/** Access tokens of type JWT, for verifiers that do not know RFC 9068 (rule TOKEN-7). */
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalidateDirectory } from "../directory/cache";
import { ruleDatabases } from "../testing/database";
import { SECRET } from "../testing/example";
import { basic, tokensOf, userinfo } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";
import { tokenBootstrap } from "../testing/token-example";
import { verifyAccessToken } from "./access-tokens";

describe.each(ruleDatabases)("JWT access tokens of type JWT on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
    const { prisma } = service.ctx.db;
    const { settings } = await prisma.app.findUniqueOrThrow({ where: { id: "a-web" } });
    const changed = { ...(settings as object), accessTokenType: "OIDC_TOKEN_TYPE_JWT", accessTokenJwtType: "JWT" };
    await prisma.app.update({ where: { id: "a-web" }, data: { settings: changed } });
    invalidateDirectory(service.ctx);
  });
  afterAll(() => service.close());

  it("work like those of type at+jwt", async () => {
    const { access_token, refresh_token } = await tokensOf(service);
    expect(decodeProtectedHeader(access_token).typ).toBe("JWT");
    expect((await userinfo(service, access_token)).status).toBe(200);
    const body = new URLSearchParams({ token: access_token });
    const headers = { authorization: basic("web", SECRET) };
    const told = await service.fetch("/oauth/v2/introspect", { method: "POST", body, headers });
    expect(await told.json()).toMatchObject({ active: true, sub: "u-ada" });
    expect(refresh_token).toBeDefined();
  });

  it("are not mistaken for id_tokens, not even by this service", async () => {
    const { access_token, id_token } = await tokensOf(service);
    expect(await verifyAccessToken(service.ctx, id_token)).toBeUndefined();
    const hint = new URLSearchParams({ id_token_hint: access_token });
    expect((await service.fetch(`/oidc/v1/end_session?${hint}`)).status).toBe(400);
  });
});
