import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asBound, type StatementCall } from "../../storage/portable-sql";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { basic, errorOf, postToken, refresh, type Tokens, tokensOf, userinfo } from "../../testing/flow";
import { anotherProcess, type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("token endpoint: refresh_token (RFC 6749 §6, RFC 9700 §4.14.2) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const json = async (response: Response) => (await response.json()) as Tokens;
  const invalidGrant = { status: 400, error: "invalid_grant" };

  it("rotates: returns a new refresh token and a new access token, with the same authentication", async () => {
    const first = await tokensOf(service);
    service.advance(2_000);
    const second = await json(await refresh(service, first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await userinfo(service, second.access_token)).status).toBe(200);
    const [before, after] = [decodeJwt(first.id_token), decodeJwt(second.id_token)];
    expect(after).toMatchObject({ sub: before.sub, aud: before.aud, auth_time: before.auth_time, sid: before.sid });
    expect(after.iat).toBeGreaterThan(before.iat ?? 0);
  });

  it("includes the nonce in the first id_token only (OIDC Core §12.2)", async () => {
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    expect([decodeJwt(first.id_token).nonce, decodeJwt(second.id_token).nonce]).toEqual(["n-1", undefined]);
  });

  it("returns the same successor for a repeat within the grace period", async () => {
    const { refresh_token } = await tokensOf(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => json(await refresh(service, refresh_token))),
    );
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
    const successor = answers[0]?.refresh_token ?? "";
    service.advance(11_000);
    expect((await refresh(service, successor)).status).toBe(200);
  });

  it("ends the whole family when a rotated token is presented after the grace period", async () => {
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    service.advance(11_000);
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
    expect(await errorOf(await refresh(service, second.refresh_token))).toEqual(invalidGrant);
    expect((await userinfo(service, second.access_token)).status).toBe(401);
  });

  const gone = () => Promise.reject(Object.assign(new Error("gone"), { code: "ECONNRESET" }));
  /** Returns a process whose commits reach the database, but whose responses from it are lost. */
  const cutOff = (from: TestService) =>
    anotherProcess(from, { ...from.ctx.db, commit: (unit) => from.ctx.db.commit(unit).then(gone), run: gone });

  it("returns the successor after the grace period, in any process, if the response of the rotation was lost", async () => {
    const first = await tokensOf(service);
    expect((await refresh(cutOff(service), first.refresh_token)).status).toBe(503);
    service.advance(60_000);
    const other = anotherProcess(service);
    const second = await json(await refresh(other, first.refresh_token));
    const third = await json(await refresh(service, second.refresh_token));
    expect((await userinfo(service, third.access_token)).status).toBe(200);
  });

  it("returns the successor of a lost response once: afterwards the spent token ends the family", async () => {
    const first = await tokensOf(service);
    expect((await refresh(cutOff(service), first.refresh_token)).status).toBe(503);
    service.advance(60_000);
    const processes = [service, anotherProcess(service)];
    const repeats = [...processes, ...processes, ...processes].map(async (each) =>
      json(await refresh(each, first.refresh_token)),
    );
    const successors = new Set((await Promise.all(repeats)).map((answer) => answer.refresh_token));
    expect(successors.size).toBe(1);
    for (const { ctx } of processes) await ctx.refreshAnswers.flush();
    service.advance(11_000);
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
    for (const each of successors) expect(await errorOf(await refresh(service, each))).toEqual(invalidGrant);
  });

  it("ends the family if both a thief and the owner present the token of a lost response", async () => {
    const first = await tokensOf(service);
    expect((await refresh(cutOff(service), first.refresh_token)).status).toBe(503);
    service.advance(60_000);
    const stolen = await json(await refresh(service, first.refresh_token));
    service.advance(11_000);
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
    expect(await errorOf(await refresh(service, stolen.refresh_token))).toEqual(invalidGrant);
  });

  it("treats the responses of a process that was killed as lost, except those that it recorded", async () => {
    const killed = anotherProcess(service, { ...service.ctx.db, run: () => new Promise(() => {}) });
    const [lost, given] = [await tokensOf(service), await tokensOf(service)];
    await refresh(killed, lost.refresh_token);
    const stopped = anotherProcess(service);
    await refresh(stopped, given.refresh_token);
    await stopped.ctx.refreshAnswers.flush();
    service.advance(3_600_000);
    expect((await refresh(service, lost.refresh_token)).status).toBe(200);
    expect(await errorOf(await refresh(service, given.refresh_token))).toEqual(invalidGrant);
  });

  it("records which responses were given, so that any process recognizes a copy", async () => {
    const [one, other] = [anotherProcess(service), anotherProcess(service)];
    const first = await tokensOf(service);
    await refresh(one, first.refresh_token);
    const grant = await service.ctx.db.prisma.grant.findFirst({ orderBy: { createdAt: "desc" } });
    await expect
      .poll(() => other.ctx.refreshAnswers.wereGiven(grant?.refreshAnswer ?? ""), { timeout: 30_000 })
      .toBe(true);
    service.advance(11_000);
    expect(await errorOf(await refresh(other, first.refresh_token))).toEqual(invalidGrant);
  });

  it("counts no response as given while an earlier one is pending", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { commit } = service.ctx.db;
    let units = 0;
    const slow = anotherProcess(service, {
      ...service.ctx.db,
      commit: async (unit) => {
        const isFirst = ++units === 1;
        const done = await commit(unit);
        if (isFirst) await held;
        return done;
      },
    });
    const [hanging, quick] = [await tokensOf(service), await tokensOf(service)];
    const late = refresh(slow, hanging.refresh_token);
    await expect.poll(() => units).toBe(1);
    expect((await refresh(slow, quick.refresh_token)).status).toBe(200);
    await slow.ctx.refreshAnswers.flush();
    service.advance(11_000);
    const repeated = await json(await refresh(service, hanging.refresh_token));
    release();
    expect((await json(await late)).refresh_token).toBe(repeated.refresh_token);
  });

  it("does not let the grace period end in an outage: a client that repeated in time may try again", async () => {
    const away = { is: true };
    const { db } = service.ctx;
    const process = anotherProcess(service, {
      ...db,
      lookUp: <Row>(...asked: StatementCall<Row>) => (away.is ? gone() : db.lookUp(asBound(...asked))),
      run: (...asked: StatementCall<unknown>) => (away.is ? gone() : db.run(asBound(...asked))),
    });
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    await service.ctx.refreshAnswers.flush();
    await refresh(process, "warm"); // caches the client
    for (const after of [2_000, 9_000, 9_000]) {
      service.advance(after);
      const answer = await refresh(process, first.refresh_token);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "3"]);
    }
    away.is = false;
    await process.ctx.refreshAnswers.flush();
    service.advance(3_000);
    const other = anotherProcess(service);
    expect((await json(await refresh(other, first.refresh_token))).refresh_token).toBe(second.refresh_token);
    await other.ctx.refreshAnswers.flush();
    service.advance(11_000);
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
  });

  it("does not accept an outage as an excuse after the grace period", async () => {
    const first = await tokensOf(service);
    await refresh(service, first.refresh_token);
    service.advance(11_000);
    const process = anotherProcess(service, { ...service.ctx.db, commit: gone, transaction: gone });
    expect((await refresh(process, first.refresh_token)).status).toBe(503);
    await process.ctx.refreshAnswers.flush();
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
  });

  it("treats a token that is several generations old as a copy", async () => {
    const first = await tokensOf(service);
    const second = await json(await refresh(service, first.refresh_token));
    const third = await json(await refresh(service, second.refresh_token));
    expect(await errorOf(await refresh(service, first.refresh_token))).toEqual(invalidGrant);
    expect(await errorOf(await refresh(service, third.refresh_token))).toEqual(invalidGrant);
  });

  it("does not affect other families of the same user", async () => {
    const browser = service.browser();
    const one = await tokensOf(service, browser);
    const other = await tokensOf(service, browser);
    await refresh(service, one.refresh_token);
    service.advance(11_000);
    await refresh(service, one.refresh_token);
    expect((await refresh(service, other.refresh_token)).status).toBe(200);
  });

  it("rejects another client's token and keeps it valid for its owner", async () => {
    const { refresh_token } = await tokensOf(service);
    const form = { grant_type: "refresh_token", refresh_token };
    expect(await errorOf(await postToken(service, form, basic("jwt-tokens", SECRET)))).toEqual(invalidGrant);
    expect((await refresh(service, refresh_token)).status).toBe(200);
  });

  it("narrows the scope for one response without shrinking the grant, and never widens it", async () => {
    const first = await tokensOf(service);
    const narrow = await json(await refresh(service, first.refresh_token, { scope: "openid" }));
    expect(narrow.scope).toBe("openid");
    const wide = await json(await refresh(service, narrow.refresh_token));
    expect(wide.scope).toBe(first.scope);
    const wider = await refresh(service, wide.refresh_token, { scope: "openid phone" });
    expect(await errorOf(wider)).toEqual({ status: 400, error: "invalid_scope" });
  });

  it.each([
    ["a changed token", (token: string) => `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`],
    ["a shortened token", (token: string) => token.slice(0, -4)],
    ["an access token", () => "x".repeat(43)],
    ["an empty-looking one", () => "-"],
  ])("rejects %s: invalid_grant, and the family remains valid", async (_, change) => {
    const { refresh_token } = await tokensOf(service);
    expect(await errorOf(await refresh(service, change(refresh_token)))).toEqual(invalidGrant);
    expect((await refresh(service, refresh_token)).status).toBe(200);
  });

  it("rejects a token not used for 30 days, and any after 90 days", async () => {
    const idle = await tokensOf(service);
    let kept = await tokensOf(service);
    for (let month = 0; month < 3; month++) {
      service.advance(29 * 86_400_000);
      kept = await json(await refresh(service, kept.refresh_token));
    }
    expect(await errorOf(await refresh(service, idle.refresh_token))).toEqual(invalidGrant);
    service.advance(4 * 86_400_000);
    expect(await errorOf(await refresh(service, kept.refresh_token))).toEqual(invalidGrant);
  });
});
