import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Abandoned } from "../concurrency/queue";
import { queuePasswordSignIn, verifyPassword } from "../crypto/password-hash";
import { findUser } from "../directory/user/user";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { authorize, redeem, type Tokens, userinfo } from "../testing/flow";
import { realHashes } from "../testing/hashes";
import { processorTime } from "../testing/processor-time";
import { type TestService, testService } from "../testing/test-context";

realHashes();

/** The second recommended option of RFC 9106. */
const DEAR = { memoryCost: 65_536, timeCost: 3, parallelism: 4 };
const OURS = "$argon2id$v=19$m=19456,t=2,p=1$";

describe.each(ruleDatabases)("imported hashes, on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const importPerson = (userName: string, value: string) =>
    callApi(service, "POST", "/management/v1/users/human/_import", {
      token,
      body: {
        userId: userName,
        userName,
        profile: { firstName: "A", lastName: "B" },
        hashedPassword: { value },
        email: { email: `${userName}@mail.test`, isEmailVerified: true },
      },
    });
  const stored = async (userId: string) => (await findUser(service.ctx, userId))?.passwordHash ?? "";
  const signIn = (loginName: string, password = PASSWORD) => authorize(service.browser(), {}, { loginName, password });

  it("are replaced by ours at the first success, without another change", async () => {
    await importPerson("fay", await hash(PASSWORD, DEAR));
    expect((await signIn("fay", "wrong wrong wrong")).get("code")).toBeNull();
    expect(await stored("fay")).toContain("m=65536");
    const before = await findUser(service.ctx, "fay");
    const events = () =>
      service.ctx.db.prisma.event.count({ where: { aggregateId: "fay", type: { not: "user.signed_in" } } });
    const mails = () => service.ctx.db.prisma.outboxMessage.count({ where: { userId: "fay" } });
    const [eventsBefore, mailsBefore] = [await events(), await mails()];
    const code = (await signIn("fay")).get("code") ?? "";
    expect(await stored("fay")).toContain(OURS);
    const { access_token } = (await (await redeem(service, code)).json()) as Tokens;
    expect((await signIn("fay")).get("code")).toBeTruthy();
    expect((await userinfo(service, access_token)).status).toBe(200);
    expect([await events(), await mails()]).toEqual([eventsBefore, mailsBefore]);
    const after = await findUser(service.ctx, "fay");
    expect(after).toMatchObject({ validFrom: before?.validFrom, passwordChangedAt: before?.passwordChangedAt });
  });

  it("are replaced if they are cheaper than ours, once for many sign-ins at once", async () => {
    await importPerson("gus", await hash(PASSWORD, { memoryCost: 7_168, timeCost: 1, parallelism: 1 }));
    const codes = await Promise.all(Array.from({ length: 4 }, () => signIn("gus")));
    expect(codes.every((answer) => answer.get("code") !== null)).toBe(true);
    expect(await stored("gus")).toContain(OURS);
    expect((await signIn("gus")).get("code")).toBeTruthy();
  });

  it("are rejected by every import if verifying them is too expensive", async () => {
    const value = `$argon2id$v=19$m=262144,t=20,p=16$${"a".repeat(22)}$${"b".repeat(43)}`;
    const one = await importPerson("hal", value);
    expect(refusalOf(one)).toMatchObject({ status: 400, id: "request.invalid" });
    expect(one.body.details[0].field).toBe("hashedPassword.value");
    const users = [{ userName: "hal", profile: { firstName: "A", lastName: "B" }, hashedPassword: { value } }];
    const many = await callApi(service, "POST", "/management/v1/users/_bulk_import", { token, body: { users } });
    expect(many.body).toMatchObject({ created: 0, refused: 1 });
  });

  it.each([
    ["bcrypt", "$2a$05$/8zBNC1iga41eBjXpID3..yoEKk2NnwDfYlJK7PksW6DQtNAe3Ne."],
    ["PBKDF2", "$pbkdf2-sha256$1000$UmotRcg5B4DQuveec07JWQ$QR3Tt0aG/wAIO/uHzZ4UdrzpxHLh0GHwPPktuK360gw"],
    ["SHA-crypt", "$5$wjyT9MCBtuFMyH7P$ct60Lf1i9kDYMXDQAfg9G7nF5qYBAngocd6y09ASFq9"],
  ])("by %s of other systems are replaced by ours at the first success", async (form, value) => {
    const name = form.toLowerCase();
    expect((await importPerson(name, value)).status).toBe(200);
    expect((await signIn(name, "wrong wrong wrong")).get("code")).toBeNull();
    expect(await stored(name)).toBe(value);
    expect((await signIn(name, "Grüße, 4 nachts!")).get("code")).toBeTruthy();
    expect(await stored(name)).toContain(OURS);
    expect((await signIn(name, "Grüße, 4 nachts!")).get("code")).toBeTruthy();
  });

  it("of Firebase are completed by the parameters that a bulk import gives once", async () => {
    const firebaseScrypt = {
      signerKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
      saltSeparator: "Bw==",
      rounds: 8,
      memoryCost: 14,
    };
    const sum = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
    const user = {
      userName: "flo",
      profile: { firstName: "A", lastName: "B" },
      email: { email: "flo@mail.test" },
      hashedPassword: { value: `$fbscrypt$42xEC+ixf3L2lw==$${sum}` },
    };
    const bulk = (body: object) => callApi(service, "POST", "/management/v1/users/_bulk_import", { token, body });
    expect((await bulk({ users: [user] })).body).toMatchObject({ created: 0, refused: 1 });
    expect((await bulk({ users: [user], firebaseScrypt })).body).toMatchObject({ created: 1 });
    expect((await signIn("flo", "user1password")).get("code")).toBeTruthy();
  });

  it("that are weak are rejected by every import that does not allow them", async () => {
    const value = "0d8533909422b0afc6e27cfde91324c4";
    const profile = { firstName: "A", lastName: "B" };
    const human = (userName: string) => ({ userName, profile, email: { email: `${userName}@mail.test` } });
    const v2 = (username: string, more: object) => ({
      username,
      profile: { givenName: "A", familyName: "B" },
      email: { email: `${username}@mail.test` },
      hashedPassword: { hash: value, ...more },
    });
    const hashedPassword = { value };
    const ways = (allow: object): [string, object][] => [
      ["/management/v1/users/human/_import", { ...human("weak1"), hashedPassword, ...allow }],
      ["/v2/users/human", v2("weak2", allow)],
      ["/management/v1/users/_bulk_import", { users: [{ ...human("weak3"), hashedPassword }], ...allow }],
    ];
    const send = ([path, body]: [string, object]) => callApi(service, "POST", path, { token, body });
    for (const way of ways({})) {
      const { status, body } = await send(way);
      expect([status, body.refused]).toEqual(way[0].endsWith("_bulk_import") ? [200, 1] : [400, undefined]);
      expect(JSON.stringify(body)).toContain("allowWeakHashes");
    }
    for (const way of ways({ allowWeakHashes: true })) expect((await send(way)).status).toBeLessThan(300);
    for (const name of ["weak1", "weak2", "weak3"]) {
      expect((await signIn(name, "Grüße, 4 nachts!")).get("code")).toBeTruthy();
    }
  });

  it("are not verified if they are too expensive and were imported before the limit; a new password helps", async () => {
    const value = `$argon2id$v=19$m=262144,t=20,p=16$${"a".repeat(22)}$${"b".repeat(43)}`;
    const { ctx } = service;
    await ctx.db.run(`UPDATE "User" SET "passwordHash" = $1 WHERE "id" = $2`, [value, "u-bob"]);
    const effort = await processorTime(async () => expect((await signIn("bob")).get("code")).toBeNull());
    expect(effort).toBeLessThan(10_000_000); // µs; verifying it takes longer
  });
});

describe("The queue of expensive hashes", () => {
  it("does not keep the slot of a sign-in", async () => {
    const dear = await hash(PASSWORD, DEAR);
    const all = Array.from({ length: 8 }, () =>
      queuePasswordSignIn((slot) => verifyPassword(PASSWORD, dear, { slot })),
    );
    let isOver = false;
    const dearOnes = Promise.all(all).finally(() => {
      isOver = true;
    });
    expect(await queuePasswordSignIn((slot) => verifyPassword(PASSWORD, null, { slot }))).toBe(false);
    expect(isOver).toBe(false);
    expect(await dearOnes).toEqual(Array(8).fill(true));
  });

  it("serves every organization in turn, however many wait in another, and rejects requests beyond its length", async () => {
    const dear = await hash(PASSWORD, DEAR);
    const order: string[] = [];
    const verify = (organizationId: string) =>
      queuePasswordSignIn((slot) => verifyPassword(PASSWORD, dear, { organizationId, slot })).then(() =>
        order.push(organizationId),
      );
    const evil = Promise.allSettled(Array.from({ length: 12 }, () => verify("evil")));
    await Promise.all([verify("acme"), evil]);
    expect(order.indexOf("acme")).toBeLessThan(3);
    expect((await evil).map(({ status }) => status)).toEqual([
      ...Array(9).fill("fulfilled"),
      ...Array(3).fill("rejected"),
    ]);
  });

  it("drops requests of clients that have left, and verifies nothing for them", async () => {
    const dear = await hash(PASSWORD, DEAR);
    const first = queuePasswordSignIn((slot) => verifyPassword(PASSWORD, dear, { slot }));
    const left = new AbortController();
    const second = queuePasswordSignIn((slot) => verifyPassword(PASSWORD, dear, { slot }), left.signal);
    left.abort();
    await expect(second).rejects.toThrow(Abandoned);
    expect(await first).toBe(true);
  });
});
