import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInstance } from "../../directory/instance";
import { BUILT_IN_LANGUAGES } from "../../directory/policy/languages";
import { type ApiCall, apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { strictAnswer } from "../../testing/strict-answer";
import { type TestService, testService } from "../../testing/test-context";
import { builtInText } from "../../texts/built-in";
import { messageTextOperations } from "./message-texts";

describe.each(databaseKinds)("message texts over REST on %s", (kind) => {
  let service: TestService;
  let token: string;
  let instanceId: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    instanceId = (await findInstance(service.ctx)).id;
  });
  afterAll(() => service.close());
  const call = (method: string, path: string, more: ApiCall = {}) => callApi(service, method, path, { token, ...more });

  describe("resetting at the instance, setting in an organization (rules TEXT-2, TEXT-3)", () => {
    const reset = "/admin/v1/text/message/domainclaimed/en";
    const set = "/management/v1/text/message/password_change/en";

    it("DELETE …/domainclaimed/{language} removes the instance's text, then the built-in one applies", async () => {
      expect(refusalOf(await call("DELETE", reset))).toEqual({ status: 404, code: 5, id: "message_text.not_found" });
      const { body: given } = await call("PUT", reset, { body: { text: "Claimed: {{.TempUsername}}" } });
      const { status, body } = await call("DELETE", reset);
      expect(status).toBe(200);
      expect(body).toEqual({
        details: {
          sequence: "2",
          creationDate: given.details.creationDate,
          changeDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          resourceOwner: instanceId,
        },
      });
      const after = await call("GET", "/management/v1/text/message/domainclaimed/en");
      expect(after.body.customText).toMatchObject({ text: builtInText("domainclaimed", "en").text, isDefault: true });
      expect(refusalOf(await call("DELETE", reset))).toEqual({ status: 404, code: 5, id: "message_text.not_found" });
    });

    it("PUT …/password_change/{language} stores all seven fields for the organization of the caller", async () => {
      const body = {
        title: "Title",
        preHeader: "Pre {{.UserName}}",
        subject: "Subject",
        greeting: "Dear {{.DisplayName}},",
        text: "Changed at {{.ChangeDate}}.",
        buttonText: "Sign in",
        footerText: "ACME",
      };
      const answer = await call("PUT", set, { body });
      expect(answer).toMatchObject({ status: 200, body: { details: { sequence: "1", resourceOwner: "acme" } } });
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const { body: read } = await call("GET", set);
      expect(read).toEqual({ customText: { ...body, details: answer.body.details } });
    });
  });

  it("replaces the whole text: omitted, empty or null fields fall back", async () => {
    const path = "/management/v1/text/message/init/de";
    await call("PUT", path, { body: { title: "T", greeting: "G", subject: "S" } });
    await call("PUT", path, { body: { subject: "S2", greeting: "", title: null } });
    const { body } = await call("GET", path);
    expect(body.customText).toEqual({ subject: "S2", details: expect.objectContaining({ sequence: "2" }) });
    const { body: explained } = await call("GET", `${path}/_explain`);
    expect(explained.fields).toMatchObject({
      subject: { text: "S2", layer: "organization" },
      greeting: { text: builtInText("init", "de").greeting, layer: "built_in" },
    });
  });

  it("accepts {} as a text without fields, and refuses a missing body", async () => {
    const path = "/management/v1/text/message/init/fr";
    expect(await call("PUT", path, { body: {} })).toMatchObject({
      status: 200,
      body: {
        details: {
          sequence: "0",
          creationDate: expect.stringMatching(/^20/),
          changeDate: expect.stringMatching(/^20/),
          resourceOwner: "acme",
        },
      },
    });
    // The same at each call, of the time since which the level says nothing: that of the organization itself.
    const { body: organization } = await call("GET", "/management/v1/orgs/me");
    const { creationDate } = organization.org.details;
    for (let times = 0; times < 2; times++) {
      const { body } = await call("PUT", path, { body: {} });
      expect(body.details).toEqual({ sequence: "0", creationDate, changeDate: creationDate, resourceOwner: "acme" });
    }
    await call("PUT", path, { body: { title: "T" } });
    const { body: emptied } = await call("PUT", path, { body: {} });
    expect(emptied.details.sequence).toBe("2");
    expect((await call("GET", path)).body.customText.isDefault).toBe(true);
    expect(refusalOf(await call("DELETE", path)).status).toBe(404);
    expect(refusalOf(await call("PUT", path))).toEqual({ status: 400, code: 3, id: "request.no_object" });
  });

  it("keeps one of two whole texts on concurrent writes", async () => {
    const path = "/management/v1/text/message/invite_user/ro";
    const whole = (name: string) => ({ title: name, subject: name, greeting: name, footerText: name });
    await call("PUT", path, { body: { ...whole("start"), greeting: "a" } });
    for (let round = 0; round < 5; round++) {
      const names = Array.from({ length: 6 }, (_, index) => `w${round}-${index}`);
      const answers = await Promise.all(names.map((name) => call("PUT", path, { body: whole(name) })));
      const { details, ...text } = (await call("GET", path)).body.customText;
      expect(names).toContain(text.title);
      expect(text).toEqual(whole(text.title));
      const sequences = answers.map(({ body }) => Number(body.details.sequence));
      expect(new Set(sequences).size).toBe(names.length);
      expect(Number(details.sequence)).toBe(Math.max(...sequences));
    }
  });

  it("does not mix two concurrent texts that each change one field", async () => {
    const path = "/management/v1/text/message/invite_user/cs";
    for (let round = 0; round < 5; round++) {
      await call("PUT", path, { body: { title: "0", subject: "0" } });
      await Promise.all([
        call("PUT", path, { body: { title: "1", subject: "0" } }),
        call("PUT", path, { body: { title: "0", subject: "1" } }),
      ]);
      const { title, subject } = (await call("GET", path)).body.customText;
      expect([title, subject].sort()).toEqual(["0", "1"]);
    }
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage
  it("answers a repeated PUT with the current details, and writes nothing", async () => {
    const path = "/management/v1/text/message/init/nl";
    const first = await call("PUT", path, { body: { title: "T" } });
    const events = await service.ctx.db.prisma.event.count();
    service.advance(60_000);
    expect((await call("PUT", path, { body: { title: "T", unknown: 1 } })).body.details).toEqual(first.body.details);
    expect(await service.ctx.db.prisma.event.count()).toBe(events);
  });

  it("continues the sequence after a reset, and dates a text from its next set (rule API-3)", async () => {
    const path = "/management/v1/text/message/init/pl";
    const answers = [];
    for (const [method, title] of [["PUT", "T"], ["PUT", "U"], ["DELETE"], ["PUT", "T"], ["PUT", "U"], ["DELETE"]]) {
      service.advance(60_000);
      answers.push((await call(method as string, path, { body: title && { title } })).body.details);
    }
    const [first, changed, removed, again, changedAgain, removedAgain] = answers;
    expect(answers.map(({ sequence }) => sequence)).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(again.creationDate).toBe(again.changeDate);
    expect(first.creationDate).toBe(first.changeDate);
    for (const { creationDate } of [changed, removed]) expect(creationDate).toBe(first.creationDate);
    for (const { creationDate } of [changedAgain, removedAgain]) expect(creationDate).toBe(again.creationDate);
  });

  it("prefers organization over instance over built-in, and names the level", async () => {
    const slug = "text/message/verifyemail/it";
    const admin = `/admin/v1/${slug}`;
    const management = `/management/v1/${slug}`;
    const builtIn = builtInText("verifyemail", "it");
    await call("PUT", admin, { body: { title: "Instance", subject: "Instance" } });
    expect((await call("GET", "/admin/v1/text/default/message/verifyemail/it")).body.customText).toMatchObject({
      title: builtIn.title,
      isDefault: true,
      details: { resourceOwner: instanceId },
    });
    const { customText: ofInstance } = (await call("GET", admin)).body;
    expect(ofInstance).toMatchObject({ title: "Instance", text: builtIn.text });
    expect(ofInstance).not.toHaveProperty("isDefault");
    const inForce = { title: "Instance", subject: "Instance", text: builtIn.text, isDefault: true };
    expect((await call("GET", management)).body.customText).toMatchObject(inForce);
    expect((await call("GET", "/management/v1/text/default/message/verifyemail/it")).body.customText).toMatchObject({
      ...inForce,
      details: { sequence: "1", resourceOwner: instanceId },
    });
    await call("PUT", management, { body: { title: "Organization" } });
    expect((await call("GET", management)).body.customText).toEqual({
      title: "Organization",
      details: expect.objectContaining({ sequence: "1", resourceOwner: "acme" }),
    });
    const { body } = await call("GET", `${management}/_explain`);
    expect(body.fields).toMatchObject({
      title: { text: "Organization", organization: "Organization", instance: "Instance", builtIn: builtIn.title },
      subject: { text: "Instance", layer: "instance" },
      text: { text: builtIn.text, layer: "built_in" },
    });
    expect(body.fields.subject).not.toHaveProperty("organization");
  });

  it("accepts the names of fields in either spelling", async () => {
    const path = "/management/v1/text/message/init/es";
    await call("PUT", path, { body: { pre_header: "P", button_text: "B", footer_text: "F" } });
    expect((await call("GET", path)).body.customText).toMatchObject({
      preHeader: "P",
      buttonText: "B",
      footerText: "F",
    });
    const both = await call("PUT", path, { body: { preHeader: "P", pre_header: "Q" } });
    expect(both.body.details[0]).toMatchObject({ id: "request.repeated_member", field: "preHeader" });
  });

  it("serves the address that was published misspelt, with its former response", async () => {
    const right = await call("GET", "/admin/v1/text/default/message/passwordreset/en");
    const wrong = await call("GET", "/admin/v1/text/deafult/message/passwordreset/en");
    expect(wrong.status).toBe(200);
    expect(wrong.body).toEqual(right.body);
    expect((await call("GET", "/management/v1/text/deafult/message/passwordreset/en")).status).toBe(404);
  });

  it("answers all operations of all types in their schemas", async () => {
    for (const { id, method, path: own, misspelt = [], answer: schema } of messageTextOperations) {
      for (const path of [own, ...misspelt]) {
        const body = method === "PUT" ? { text: `A text with {{.Code}}`, ...onlyText(path) } : undefined;
        const answer = await call(method, path.replace(":language", "sv"), { body });
        expect([id, answer.status]).toEqual([id, 200]);
        expect(strictAnswer(schema).safeParse(answer.body).error).toBeUndefined();
      }
    }
  });

  describe("If-Match (RFC 9110 §13.1.1)", () => {
    const path = "/management/v1/text/message/init/ja";
    const put = (ifMatch: string, title: string) =>
      call("PUT", path, { body: { title }, headers: { "if-match": ifMatch } });

    it("only overwrites the version that the writer has seen: 412", async () => {
      expect((await put("*", "1")).status).toBe(412);
      expect((await put("0", "1")).status).toBe(200);
      const stale = await put('"0"', "2");
      expect(refusalOf(stale)).toEqual({ status: 412, code: 10, id: "message_text.sequence_mismatch" });
      expect((await put('"1"', "2")).status).toBe(200);
      expect((await put('"7", "2"', "3")).status).toBe(200);
      expect((await put("*", "4")).status).toBe(200);
      expect((await call("DELETE", path, { headers: { "if-match": "3" } })).status).toBe(412);
      expect((await call("GET", path)).body.customText.title).toBe("4");
      expect((await call("DELETE", path, { headers: { "if-match": "4" } })).status).toBe(200);
      expect(refusalOf(await put("W/x", "5"))).toEqual({ status: 400, code: 3, id: "request.if_match" });
    });

    it("accepts one of many writers", async () => {
      const { body } = await call("PUT", path, { body: { title: "start" } });
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, index) => put(body.details.sequence, `writer ${index}`)),
      );
      expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    });
  });

  it("explains the language: exact, base, default", async () => {
    const explain = async (language: string) =>
      (await call("GET", `/management/v1/text/message/init/${language}/_explain`)).body.language;
    expect(await explain("DE")).toEqual({ requested: "de", used: "de", builtIn: "de", match: "exact", from: "user" });
    expect(await explain("de-ch")).toEqual({
      requested: "de-CH",
      used: "de",
      builtIn: "de",
      match: "base",
      from: "user",
    });
    expect(await explain("is")).toEqual({
      requested: "is",
      used: "en",
      builtIn: "en",
      match: "default",
      from: "instance",
    });
    const malformed = await call("GET", "/management/v1/text/message/init/e_/_explain");
    expect(refusalOf(malformed)).toEqual({ status: 400, code: 3, id: "language.malformed" });
  });

  it("lists the languages and the variables of a type", async () => {
    for (const path of ["/admin/v1/languages", "/admin/v1/languages/allowed", "/management/v1/languages"]) {
      const { body } = await call("GET", path);
      expect(body.languages).toHaveLength(BUILT_IN_LANGUAGES.length);
      expect(body.languages).toContain("de");
    }
    expect((await call("GET", "/admin/v1/languages/default")).body).toEqual({ language: "en" });
    const { body } = await call("GET", "/management/v1/text/variables/domainclaimed");
    expect(body.variables.map(({ placeholder }: { placeholder: string }) => placeholder)).toEqual(
      expect.arrayContaining(["{{.TempUsername}}", "{{.LastEmail}}"]),
    );
  });

  it("uses the fast router: no address is matched by two patterns", () => {
    expect(service.application.router.name).toBe("SmartRouter + RegExpRouter");
  });
});

/** Some messages must lead somewhere; the code does for those that carry one. */
function onlyText(path: string): object {
  const isNotice =
    /domainclaimed|factor_|_changed?\b|new_device|account_locked|recovery_codes|app_consent|account_disowned|account_exists/.test(
      path,
    );
  return isNotice || path.includes("passwordless_registration") ? { text: "A text" } : {};
}
