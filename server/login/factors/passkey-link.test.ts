import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { newAuthenticator, type Options } from "../../testing/authenticator";
import { databaseKinds } from "../../testing/database";
import { PASSWORD } from "../../testing/example";
import { formOptions, hiddenFields, newPerson, pageAt } from "../../testing/factors";
import { answerOf, authorizePath } from "../../testing/flow";
import { lastMailTo, mailsTo } from "../../testing/mailed";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { type TestService, testService } from "../../testing/test-context";

const SUBMIT = "/login/passkey/new/submit";

describe.each(databaseKinds)("The link with which a user adds a passkey, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    for (const name of ["owner", "colleague", "nobody"]) tokens[name] = await tokenOf(name);
  });
  const tokenOf = (name: string) => apiToken(service, name === "owner" ? undefined : `${name}@acme.test`);
  afterAll(() => service.close());

  const call = (path: string, body?: unknown, as = "owner") =>
    callApi(service, "POST", path, { token: tokens[as], body });
  const linkFor = async (id: string) => {
    const { body } = await call(`/management/v1/users/${id}/passwordless/_link`);
    return body as { link: string; expiration: string };
  };
  const pathIn = (link: string) => link.slice(service.config.baseUrl.length);
  /** Opens the page and submits a passkey. */
  async function open(path: string, authenticator = newAuthenticator()) {
    const browser = service.browser();
    const response = await browser.get(path);
    const html = await response.text();
    const fields = response.status === 200 ? hiddenFields(html, SUBMIT) : {};
    const options = response.status === 200 ? (formOptions(html) as Options) : undefined;
    const add = () => browser.post(SUBMIT, { ...fields, credential: options ? authenticator.create(options) : "" });
    return { status: response.status, html, fields, browser, authenticator, add };
  }
  async function signsIn(authenticator: ReturnType<typeof newAuthenticator>): Promise<boolean> {
    const browser = service.browser();
    const page = await pageAt(browser, await browser.get(authorizePath()));
    const credential = authenticator.get(formOptions(page) as Options);
    const fields = hiddenFields(page, "/login/passkey");
    return answerOf(await browser.post("/login/passkey", { ...fields, credential })).has("code");
  }

  it("is mailed to the verified address, names the account, works once, and does not sign in", async () => {
    const { id, loginName } = await newPerson(service, PASSWORD);
    expect((await call(`/management/v1/users/${id}/passwordless/_send_link`)).status).toBe(200);
    const { type, path } = await lastMailTo(service, loginName);
    expect(type).toBe("passwordless_registration");
    for (let time = 0; time < 2; time++) expect((await open(path)).html).toContain(loginName);
    const { add, browser, authenticator } = await open(path);
    const added = await add();
    expect(await added.text()).toContain('class="codes"'); // the first recovery codes
    expect((await browser.get("/account")).headers.get("location")).toContain("/login");
    expect(await signsIn(authenticator)).toBe(true);
    const again = await open(path);
    expect([again.status, again.html.includes("Used")]).toEqual([410, true]);
    const told = (await mailsTo(service, loginName)).map((mail) => mail.type);
    expect(told).toEqual(["passwordless_registration", "factor_added"]);
    const second = await open(pathIn((await linkFor(id)).link));
    expect((await second.add()).headers.get("location")).toContain("/login/done");
  });

  it("adds one passkey when it is used in two browsers at once", async () => {
    const { id } = await newPerson(service, PASSWORD);
    const path = pathIn((await linkFor(id)).link);
    const pages = await Promise.all([open(path), open(path)]);
    const statuses = (await Promise.all(pages.map(({ add }) => add()))).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 410]);
    expect(await service.ctx.db.prisma.passkey.count({ where: { userId: id } })).toBe(1);
  });

  it("is not used up by a rejected passkey", async () => {
    const { id } = await newPerson(service, PASSWORD);
    const path = pathIn((await linkFor(id)).link);
    const { fields, browser } = await open(path);
    const refused = await browser.post(SUBMIT, { ...fields, credential: "{}" });
    expect([refused.status, (await refused.text()).includes("could not be added")]).toEqual([422, true]);
    // A form that was sealed for another user adds no passkey to this account.
    const other = await newPerson(service, PASSWORD);
    const theirs = await open(pathIn((await linkFor(other.id)).link));
    const mixed = { ...fields, enrolment: theirs.fields.enrolment ?? "" };
    const options = formOptions(theirs.html) as Options;
    await browser.post(SUBMIT, { ...mixed, credential: newAuthenticator().create(options) });
    expect(await service.ctx.db.prisma.passkey.count({ where: { userId: { in: [id, other.id] } } })).toBe(0);
    expect((await open(path)).status).toBe(200);
  });

  it("is invalid after an hour, after a newer one, and while the user may not sign in", async () => {
    const { id } = await newPerson(service, PASSWORD);
    const first = await linkFor(id);
    expect(Math.round((Date.parse(first.expiration) - service.ctx.clock()) / 60_000)).toBe(60);
    const second = await linkFor(id);
    expect((await open(pathIn(first.link))).status).toBe(410);
    service.advance(3_600_000);
    expect((await open(pathIn(second.link))).status).toBe(410);
    for (const name of Object.keys(tokens)) tokens[name] = await tokenOf(name);
    const third = await linkFor(id);
    await call(`/management/v1/users/${id}/_lock`);
    expect((await open(pathIn(third.link))).status).toBe(410);
    for (const token of ["", "x", "x".repeat(5_000)]) {
      expect((await open(`/login/passkey/new?token=${token}`)).status).toBe(410);
    }
  });

  it("is returned by version 2 of the API with its id and code", async () => {
    const { id, loginName } = await newPerson(service, PASSWORD);
    const path = `/v2/users/${id}/passkeys/registration_link`;
    const { code, link } = (await call(path, { returnCode: {} })).body;
    expect(link).toBe(`${service.config.baseUrl}/login/passkey/new?token=${code.code}`);
    expect((await open(`/login/passkey/new?token=${code.id}`)).status).toBe(410);
    expect(await mailsTo(service, loginName)).toEqual([]);
    expect((await call(path, { sendLink: {}, returnCode: {} })).status).toBe(400);
    expect((await open(pathIn(link))).status).toBe(200); // a rejected request creates no new link
    expect((await call(path, { sendLink: {} })).body).not.toHaveProperty("code");
    expect((await lastMailTo(service, loginName)).type).toBe("passwordless_registration");
    // The page of another program gets what returnCode returns.
    const urlTemplate = "https://acme.test/passkey?user={{.UserID}}&id={{.CodeID}}&code={{.Code}}";
    expect((await call(path, { sendLink: { urlTemplate } })).status).toBe(200);
    const { searchParams } = new URL((await lastMailTo(service, loginName)).url ?? "");
    expect([searchParams.get("user"), searchParams.get("id")?.length]).toEqual([id, code.id.length]);
    expect((await open(`/login/passkey/new?token=${searchParams.get("code")}`)).status).toBe(200);
    const foreign = { sendLink: { urlTemplate: "https://evil.test/{{.Code}}" } };
    expect(refusalOf(await call(path, foreign)).id).toBe("url_template.not_allowed");
  });

  it("requires permission to change the user, and a verified address", async () => {
    const wrong: string[] = [];
    for (const path of [
      "/management/v1/users/u-ada/passwordless/_link",
      "/management/v1/users/u-ada/passwordless/_send_link",
      "/v2/users/u-ada/passkeys/registration_link",
    ]) {
      for (const as of ["colleague", "nobody"]) {
        const { status } = await call(path, {}, as);
        if (status !== 403) wrong.push(`${path} ${as}: ${status}`);
      }
      if ((await call(path.replace("u-ada", "nobody-there"), {})).status !== 404) wrong.push(`${path}: not 404`);
    }
    expect(wrong).toEqual([]);
    const { id } = await newPerson(service, PASSWORD);
    await service.ctx.db.prisma.user.update({ where: { id }, data: { isEmailVerified: false } });
    expect(refusalOf(await call(`/management/v1/users/${id}/passwordless/_send_link`))).toMatchObject({
      id: "user.no_verified_email",
    });
    expect((await linkFor(id)).link).toContain("/login/passkey/new?token=");
  });
});
