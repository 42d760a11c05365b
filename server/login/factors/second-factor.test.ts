import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomSecret } from "../../crypto/random";
import { useRecoveryCode } from "../../directory/user/recovery-codes";
import { MULTI_FACTOR } from "../../protocol/authentication-context";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import {
  attribute,
  codeAt,
  enterPassword,
  hiddenFields,
  newPerson,
  newProtectedPerson,
  pageAt,
  pathOf,
  secretOn,
  setLoginPolicy,
} from "../../testing/factors";
import { answerOf, authorizePath, redeem, type Tokens } from "../../testing/flow";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const SUBMIT = "/login/mfa/submit";
const SET_UP = "/login/mfa/set-up/app/submit";

describe.each(databaseKinds)("second factor on %s (ASVS 6.3.3, RFC 6238)", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  const now = () => service.ctx.clock();
  /** Opens the challenge of a new sign-in in a browser. */
  const challenge = async (loginName: string, browser: TestBrowser = service.browser(), way = "") => {
    const location = pathOf(await enterPassword(browser, {}, { loginName, password: PASSWORD }));
    expect(location).toMatch(/^\/login\/mfa\?flow=/);
    const page = await (await browser.get(way ? `${location}&way=${way}` : location)).text();
    const send = (code: string) => browser.post(SUBMIT, { ...hiddenFields(page, SUBMIT), code });
    return { browser, location, page, send };
  };
  const idTokenOf = async (response: Response) => {
    const code = answerOf(response).get("code") ?? "";
    const tokens = (await (await redeem(service, code)).json()) as Tokens;
    return JSON.parse(Buffer.from(tokens.id_token.split(".")[1] ?? "", "base64url").toString());
  };
  const sessionsOf = (userId: string) => service.ctx.db.prisma.session.count({ where: { userId } });

  it("is required after the password; the token names the factors, and there is no session before", async () => {
    const ann = await newProtectedPerson(service, PASSWORD);
    const before = await sessionsOf(ann.id);
    const { browser, send } = await challenge(ann.loginName);
    expect(await sessionsOf(ann.id)).toBe(before);
    const silent = await browser.get(authorizePath({ prompt: "none" }));
    expect(answerOf(silent).get("error")).toBe("login_required");

    const planted = browser.cookies.get("ua");
    const { amr, acr } = await idTokenOf(await send(codeAt(ann.secret, now()).replace(/(...)/, " $1 ")));
    expect(amr).toEqual(["pwd", "otp", "mfa"]);
    expect(acr).toBe(MULTI_FACTOR);
    expect(browser.cookies.get("ua")).not.toBe(planted); // ASVS 7.2.4
  });

  it("refuses a code twice in its step, also when both come at once (RFC 6238 §5.2)", async () => {
    const { loginName, secret } = await newProtectedPerson(service, PASSWORD);
    const [one, two] = [await challenge(loginName), await challenge(loginName)];
    const code = codeAt(secret, now());
    const answers = await Promise.all([one.send(code), two.send(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const three = await challenge(loginName);
    expect((await three.send(code)).status).toBe(422);
    expect((await three.send(codeAt(secret, now() - 30_000))).status).toBe(422); // older than the last one
  });

  it("accepts a code of the previous and the next step, and of no other", async () => {
    const { loginName, secret } = await newProtectedPerson(service, PASSWORD);
    const { send } = await challenge(loginName);
    service.advance(30_000 - (now() % 30_000)); // starts a time step, so that no code changes meanwhile
    expect((await send(codeAt(secret, now() - 60_000))).status).toBe(422);
    expect((await send(codeAt(secret, now() + 60_000))).status).toBe(422);
    expect((await send(codeAt(secret, now() + 30_000))).status).toBe(303);
  });

  it("is locked after ten wrong attempts in one sign-in, and in all sign-ins of an account together", async () => {
    const { loginName, secret, recoveryCodes } = await newProtectedPerson(service, PASSWORD);
    const first = await challenge(loginName);
    for (let i = 0; i < 6; i++) expect((await first.send("000000")).status).toBe(422);
    const second = await challenge(loginName);
    const burst = await Promise.all(Array.from({ length: 8 }, () => second.send("000000")));
    expect(burst.filter(({ status }) => status === 422).length).toBe(4);
    const right = codeAt(secret, now());
    expect((await second.send(right)).status).toBe(429);
    expect((await (await challenge(loginName)).send(right)).status).toBe(429);
    // Not locked out: another factor has its own attempts.
    const { send } = await challenge(loginName, service.browser(), "recovery");
    expect((await send(recoveryCodes[0] ?? "")).status).toBe(303);
    service.advance(3_600_000 + 1);
    expect((await (await challenge(loginName)).send(codeAt(secret, now()))).status).toBe(303);
  });

  it("accepts each of ten recovery codes once, in any notation, while the others remain valid", async () => {
    const { id, loginName, recoveryCodes } = await newProtectedPerson(service, PASSWORD);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [one = "", two = ""] = recoveryCodes;
    const use = async (code: string) => {
      const { send } = await challenge(loginName, service.browser(), "recovery");
      return (await send(code)).status;
    };
    expect(await use(one.toLowerCase().replace("-", " "))).toBe(303);
    expect(await use(one)).toBe(422);
    expect((await Promise.all([use(two), use(two)])).sort()).toEqual([303, 422]);
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: id, consumedAt: null } })).toBe(8);
    const [, , three = ""] = recoveryCodes;
    const user = { id, organizationId: "acme" };
    const race = Array.from({ length: 8 }, () =>
      useRecoveryCode({ ...service.ctx, origin: { actor: id } }, user, three),
    );
    expect((await Promise.all(race)).filter(Boolean).length).toBe(1);
    const rows = JSON.stringify(await service.ctx.db.prisma.recoveryCode.findMany({ where: { userId: id } }));
    expect(rows).not.toContain(one.replace("-", ""));
  });

  it("is suggested as the policy says, and not again while it is postponed", async () => {
    const { loginName } = await newPerson(service, PASSWORD);
    await setLoginPolicy(service, { mfaInitSkipLifetime: 3600 });
    const signIn = async (browser = service.browser()) => ({
      browser,
      response: await enterPassword(browser, {}, { loginName, password: PASSWORD }),
    });
    const { browser, response } = await signIn();
    const page = await pageAt(browser, response);
    const later = await browser.post("/login/mfa/set-up/later", hiddenFields(page, "/login/mfa/set-up/later"));
    expect((await idTokenOf(later)).amr).toEqual(["pwd"]);
    expect(answerOf((await signIn()).response).get("code")).toBeTruthy();
    service.advance(3_600_001);
    expect(pathOf((await signIn()).response)).toMatch(/^\/login\/mfa\/set-up/);
    await setLoginPolicy(service, {});
  });

  it("is deleted with its user", async () => {
    const { id } = await newProtectedPerson(service, PASSWORD);
    await service.ctx.db.prisma.user.delete({ where: { id } });
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: id } })).toBe(0);
    expect(await service.ctx.db.prisma.recoveryCode.count({ where: { userId: id } })).toBe(0);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it("asks for a missing code without counting an attempt", async () => {
    const { loginName, secret } = await newProtectedPerson(service, PASSWORD);
    const { send } = await challenge(loginName);
    for (let i = 0; i < 12; i++) expect((await send("  ")).status).toBe(422);
    expect((await send(codeAt(secret, now()))).status).toBe(303);
  });

  it("cannot be shown in another browser, with another flow, or after ten minutes", async () => {
    const { loginName, secret } = await newProtectedPerson(service, PASSWORD);
    const { page, send, location } = await challenge(loginName);
    const stranger = service.browser();
    stranger.cookies.set("ua", randomSecret()); // a known browser, of another user
    const fields = hiddenFields(page, SUBMIT);
    const stolen = await stranger.post(SUBMIT, { ...fields, code: codeAt(secret, now()) });
    expect(pathOf(stolen)).toMatch(/^\/login\?flow=/);
    expect(pathOf(await stranger.get(location))).toMatch(/^\/login\?flow=/);
    const direct = await stranger.get(authorizePath());
    const unproven = new URL(direct.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    for (const path of ["/login/mfa", "/login/mfa/set-up", "/login/mfa/set-up/app"]) {
      expect(pathOf(await stranger.get(`${path}?flow=${unproven}`))).toMatch(/^\/login\?flow=/);
    }
    for (const path of [SUBMIT, SET_UP, "/login/mfa/send", "/login/mfa/set-up/later", "/login/mfa/continue"]) {
      expect(pathOf(await stranger.post(path, { flow: unproven, code: codeAt(secret, now()) }))).toMatch(/^\/login\?/);
      expect((await stranger.post(path, { code: "123456" })).status).toBe(410);
    }
    service.advance(10 * 60_000 + 1);
    expect(pathOf(await send(codeAt(secret, now())))).toMatch(/^\/login\?flow=/);
  });

  it("cannot be set up without the challenge, nor postponed", async () => {
    const { loginName, id } = await newProtectedPerson(service, PASSWORD);
    const { browser, location } = await challenge(loginName);
    const flow = new URLSearchParams(location.split("?")[1]).get("flow") ?? "";
    expect(pathOf(await browser.get(`/login/mfa/set-up/app?flow=${flow}`))).toMatch(/^\/login\/mfa\?/);
    expect(pathOf(await browser.post(SET_UP, { flow, code: "123456" }))).toMatch(/^\/login\/mfa\?/);
    expect(pathOf(await browser.post("/login/mfa/set-up/later", { flow }))).toMatch(/^\/login\?/);
    expect(pathOf(await browser.post("/login/mfa/continue", { flow }))).toMatch(/^\/login\?/);
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: id } })).toBe(1);
  });

  it("is void after a change of the password or a lock of the account", async () => {
    const { loginName, secret, id } = await newProtectedPerson(service, PASSWORD);
    const { send } = await challenge(loginName);
    service.advance(1000);
    await service.ctx.db.prisma.user.update({ where: { id }, data: { validFrom: new Date(now()) } });
    expect(pathOf(await send(codeAt(secret, now())))).toMatch(/^\/login\?flow=/);
    const again = await challenge(loginName);
    await service.ctx.db.prisma.user.update({ where: { id }, data: { state: "locked" } });
    expect(pathOf(await again.send(codeAt(secret, now())))).toMatch(/^\/login\?flow=/);
  });

  it("must be set up if the policy requires it, with a code of the shown key", async () => {
    const { id, loginName } = await newPerson(service, PASSWORD);
    const other = await newPerson(service, PASSWORD);
    await setLoginPolicy(service, { forceMfa: true });
    const browser = service.browser();
    const first = await enterPassword(browser, {}, { loginName, password: PASSWORD });
    expect(pathOf(first)).toMatch(/^\/login\/mfa\/set-up\?flow=/);
    const choice = await pageAt(browser, first);
    expect(choice).not.toContain("not-now");
    expect(await sessionsOf(id)).toBe(0);
    const refused = await browser.post("/login/mfa/set-up/later", {
      flow: new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "",
    });
    expect(pathOf(refused)).toMatch(/^\/login\?/);

    const page = await (await browser.get(attribute(choice, "set-up-app", "href"))).text();
    const secret = secretOn(page);
    const fields = hiddenFields(page, SET_UP);
    const wrong = await browser.post(SET_UP, { ...fields, code: "000000", name: "Phone" });
    expect(wrong.status).toBe(422);
    expect(secretOn(await wrong.text())).toBe(secret);
    // The key of another user's page is not accepted for this account.
    const thief = service.browser();
    const theirs = await pageAt(
      thief,
      await enterPassword(thief, {}, { loginName: other.loginName, password: PASSWORD }),
    );
    const theirPage = await (await thief.get(attribute(theirs, "set-up-app", "href"))).text();
    const { enrolment } = hiddenFields(theirPage, SET_UP);
    const foreign = { ...fields, enrolment: enrolment ?? "", code: codeAt(secretOn(theirPage), now()) };
    expect((await browser.post(SET_UP, foreign)).status).toBe(422);
    expect(await service.ctx.db.prisma.secondFactor.count({ where: { userId: id } })).toBe(0);

    const done = await browser.post(SET_UP, { ...fields, code: codeAt(secret, now()), name: "Phone\u202e" });
    expect(done.status).toBe(200);
    const codes = await done.text();
    const row = await service.ctx.db.prisma.secondFactor.findFirstOrThrow({ where: { userId: id } });
    expect(JSON.stringify(row)).not.toContain(secret);
    const on = await browser.post("/login/mfa/continue", hiddenFields(codes, "/login/mfa/continue"));
    expect((await idTokenOf(on)).amr).toEqual(["pwd", "otp", "mfa"]);
    await setLoginPolicy(service, {});
  });

  it("is required of a session without one if the application requests it (acr_values)", async () => {
    const { id, loginName } = await newPerson(service, PASSWORD);
    const browser = service.browser();
    await enterPassword(browser, {}, { loginName, password: PASSWORD });
    // A voluntary request is ignored for a user without a factor; an essential one leads to the setup.
    const wish = await idTokenOf(await browser.get(authorizePath({ acr_values: MULTI_FACTOR })));
    expect(wish.amr).toEqual(["pwd"]);
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: MULTI_FACTOR } } });
    expect(pathOf(await browser.get(authorizePath({ claims })))).toMatch(/^\/login\/mfa\/set-up\?/);
    const silent = await browser.get(authorizePath({ claims, prompt: "none" }));
    expect(answerOf(silent).get("error")).toBe("interaction_required");

    const app = await newProtectedPerson(service, PASSWORD);
    await service.ctx.db.prisma.secondFactor.updateMany({ where: { userId: app.id }, data: { userId: id } });
    const page = await pageAt(browser, await browser.get(authorizePath({ acr_values: MULTI_FACTOR })));
    const fields = hiddenFields(page, SUBMIT);
    const stepped = await browser.post(SUBMIT, { ...fields, code: codeAt(app.secret, now()) });
    expect(await idTokenOf(stepped)).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: MULTI_FACTOR });
    expect(await sessionsOf(id)).toBe(1);
  });
});
