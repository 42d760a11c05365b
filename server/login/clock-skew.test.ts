import { beforeEach, describe, expect, it } from "vitest";
import { hashPassword } from "../crypto/password-hash";
import { changePassword } from "../directory/user/password";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { authorize, redeem, refresh, type Tokens, tokensOf, userinfo } from "../testing/flow";
import { type TestService, testService } from "../testing/test-context";

const CHOSEN = "a lamp, a river and a tram";
const HOUR = 3_600_000;

describe.each(ruleDatabases)("a clock that was ahead, on %s", (kind) => {
  let service: TestService;
  beforeEach(async () => {
    service = await testService(kind, exampleBootstrap);
    return () => service.close();
  });

  const newPassword = async () =>
    changePassword(
      { ...service.ctx, origin: { actor: "u-ada" } },
      { userId: "u-ada", newHash: await hashPassword(CHOSEN) },
    );

  it.each([5_000, 2 * HOUR])("does not lock out a user with a new password, %i ms ahead", async (ahead) => {
    const before = await tokensOf(service);
    service.advance(ahead);
    const meanwhile = await tokensOf(service); // for example a thief's
    service.advance(1_000);
    await newPassword();
    service.advance(-ahead);

    const code = (await authorize(service.browser(), {}, { password: CHOSEN })).get("code") ?? "";
    const tokens = (await (await redeem(service, code)).json()) as Tokens;
    expect((await userinfo(service, tokens.access_token)).status).toBe(200);
    expect((await refresh(service, tokens.refresh_token)).status).toBe(200);

    // Tokens that the new password has ended remain invalid.
    for (const ended of [before, meanwhile]) {
      expect((await userinfo(service, ended.access_token)).status).toBe(401);
      expect((await refresh(service, ended.refresh_token)).status).toBe(400);
    }
  });
});
