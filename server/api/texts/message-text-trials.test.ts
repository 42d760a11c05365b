import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliverNext } from "../../mail/deliver";
import { openMailRoutes } from "../../mail/routes";
import { type ApiCall, apiToken, callApi, refusalOf } from "../../testing/api";
import { countAllRows } from "../../testing/bare-context";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { startMailServer, type TestMailServer } from "../../testing/mail-server";
import { type TestService, testService } from "../../testing/test-context";
import { previewSchema, textTrialSchema, trialStateSchema } from "./message-text-schemas";

const person = (id: string, displayName: string, roles: string[] = []) => ({
  id,
  userName: id,
  password: PASSWORD,
  profile: { firstName: id, lastName: "X", displayName, preferredLanguage: "de" },
  email: { email: `${id}@other.test`, isEmailVerified: true },
  roles,
});
const bootstrap = {
  organizations: [
    ...exampleBootstrap.organizations,
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [
        person("owner", "Owner", ["ORG_OWNER"]),
        person("editor", "{{.LastEmail}} <b>x</b>", ["ORG_SETTINGS_MANAGER"]),
      ],
    },
  ],
};

describe.each(ruleDatabases)("previews and test messages of message texts on %s", (kind) => {
  let service: TestService;
  let server: TestMailServer;
  let admin: string;
  let owner: string;
  let editor: string;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    server = await startMailServer();
    admin = await apiToken(service);
    owner = await apiToken(service, "owner@other.test");
    editor = await apiToken(service, "editor@other.test");
    // The message about the app that they authorized.
    await service.ctx.db.prisma.outboxMessage.deleteMany();
  });
  afterAll(async () => {
    await server.stop();
    await service.close();
  });
  const post = (path: string, more: ApiCall) => callApi(service, "POST", path, more);
  const MANAGEMENT = "/management/v1/text/message";
  const ADMIN = "/admin/v1/text/message";
  const deliver = async () => {
    const routes = openMailRoutes({ ...service.ctx, config: { ...service.ctx.config, smtpUrl: server.url } });
    const outcome = await deliverNext(service.ctx, routes);
    routes.close();
    return outcome;
  };

  describe("preview", () => {
    it("shows the saved text with example values, including code and button, and writes nothing", async () => {
      const path = `${MANAGEMENT}/passwordreset/en`;
      await callApi(service, "PUT", path, { token: owner, body: { subject: "Reset, {{.DisplayName}}" } });
      const before = await countAllRows(service.ctx);
      const { status, body } = await post(`${path}/_preview`, { token: owner });
      expect(status).toBe(200);
      expect(previewSchema.strict().safeParse(body).error).toBeUndefined();
      expect(body).toMatchObject({ language: "en", subject: "Reset, Ada Lovelace", errors: [], warnings: [] });
      for (const part of [body.html, body.text]) {
        expect(part).toContain("K7M4-PX2Q");
        expect(part).toContain("http://localhost:8080/login");
      }
      expect(await countAllRows(service.ctx)).toEqual(before);
    });

    it("shows the unsaved text instead, with its errors and warnings", async () => {
      const path = `${MANAGEMENT}/passwordreset/en/_preview`;
      const fields = { subject: "", greeting: "Hi {{.Nickname}},", footerText: "<b>ACME</b>" };
      const { status, body } = await post(path, { token: owner, body: { fields } });
      expect(status).toBe(200);
      expect(body.subject).not.toContain("Reset,"); // empty fields: the inherited text, not the saved one
      expect(body.text).toContain("<b>ACME</b>");
      expect(body.html).toContain("&lt;b&gt;ACME&lt;/b&gt;");
      expect(body.errors).toMatchObject([{ id: "message_text.unknown_variable", suggestion: "{{.NickName}}" }]);
      expect(body.warnings).toMatchObject([{ id: "message_text.markup", field: "footerText" }]);
    });

    it("fills in a user's values once: a name that resembles a variable stays a name", async () => {
      const body = { fields: { subject: "For {{.DisplayName}}" }, userId: "editor" };
      const { body: preview } = await post(`${MANAGEMENT}/password_change/en/_preview`, { token: owner, body });
      expect(preview.subject).toContain("{{.LastEmail}} <b>x</b>");
      expect(preview.html).not.toContain("<b>x</b>");
    });

    it("shows users to themselves and to callers who may read them, and no user of another organization", async () => {
      const path = `${MANAGEMENT}/password_change/en/_preview`;
      const show = (token: string, userId: string, address = path) => post(address, { token, body: { userId } });
      expect((await show(editor, "editor")).status).toBe(200);
      expect((await show(owner, "editor")).status).toBe(200);
      for (const [token, userId] of [
        [editor, "owner"], // texts may be edited without reading people
        [owner, "u-ada"],
        [owner, "nobody"],
        [owner, "x\0"],
        [admin, "owner"], // at their own organization's level
      ] as const) {
        expect(refusalOf(await show(token, userId))).toEqual({ status: 404, code: 5, id: "user.not_found" });
      }
      expect((await show(admin, "owner", `${ADMIN}/password_change/en/_preview`)).status).toBe(200);
    });

    it("shows the instance's text at instance level, regardless of the user's organization", async () => {
      const path = "text/message/invite_user/en";
      await callApi(service, "PUT", `/management/v1/${path}`, { token: admin, body: { subject: "ACME's" } });
      await callApi(service, "PUT", `/admin/v1/${path}`, { token: admin, body: { subject: "The instance's" } });
      const of = async (level: string) => (await post(`/${level}/v1/${path}/_preview`, { token: admin })).body.subject;
      expect(await of("admin")).toBe("The instance's");
      expect(await of("management")).toBe("ACME's");
      const { body } = await post(`/admin/v1/${path}/_preview`, { token: admin, body: { userId: "u-ada" } });
      expect(body.subject).toBe("The instance's");
    });

    it("shows the requested example user, whose name is escaped and never read as a template", async () => {
      const fields = { subject: "For {{.DisplayName}}", greeting: "Hello {{.FirstName}}" };
      const path = `${MANAGEMENT}/password_change/en/_preview`;
      const show = async (sample: string) => (await post(path, { token: owner, body: { fields, sample } })).body;
      expect((await show("usual")).subject).toBe("For Ada Lovelace");
      expect((await show("long_name")).subject).toMatch(/^For Prof\. Dr\. Maximiliane-.*Wallersdorf$/);
      expect((await show("no_name")).subject).toBe("For ada@acme.test");
      expect((await show("right_to_left")).html).toContain("<bdi>ليلى</bdi>");
      const markup = await show("markup");
      expect(markup.subject).toBe('For <b>Ada</b> {{.Code}} & "Lovelace"');
      expect(markup.html).toContain("<bdi>&lt;b&gt;Ada&lt;/b&gt;</bdi>");
      expect(markup.text).toContain("Hello <b>Ada</b>");
    });

    it("shows a notice with an example of what happened", async () => {
      const { body } = await post(`${MANAGEMENT}/new_device/en/_preview`, { token: owner });
      expect(body.text).toContain("from a new device: Firefox · Linux, 192.0.2.7 (March 14, 2025 at 9:26 AM UTC).");
    });

    it("shows only the text of a text message", async () => {
      const path = `${MANAGEMENT}/verifysmsotp/en/_preview`;
      const { body } = await post(path, { token: owner, body: { fields: { text: "{{.Code}}\nfor you" } } });
      expect(previewSchema.strict().safeParse(body).error).toBeUndefined();
      expect(body.phoneText).toBe("48291537\nfor you");
      expect(body.segments).toEqual({ encoding: "GSM-7", count: 1, units: 16, left: 144, unusual: [] });
    });

    it.each([
      [[], "request.no_object"],
      [{ sample: "nobody" }, "request.wrong_type"],
      [{ fields: "x" }, "request.wrong_type"],
      [{ fields: { title: 1 } }, "request.wrong_type"],
      [{ userId: 7 }, "request.wrong_type"],
    ])("refuses the body %j", async (body, id) => {
      const answer = await post(`${MANAGEMENT}/init/en/_preview`, { token: owner, body });
      expect(refusalOf(answer)).toEqual({ status: 400, code: 3, id });
    });
  });

  describe("trial", () => {
    it("arrives at the author's own verified address, marked, in the requested language", async () => {
      const fields = { subject: "Neu, {{.DisplayName}}", buttonText: "Los" };
      const answer = await post(`${MANAGEMENT}/invite_user/de/_test_send`, {
        token: owner,
        body: { fields, userId: "editor" },
      });
      expect(answer).toMatchObject({ status: 200, body: { recipient: "owner@other.test", language: "de" } });
      expect(textTrialSchema.strict().safeParse(answer.body).error).toBeUndefined();
      expect(await deliver()).toBe("sent");
      const [mail] = await server.received(1);
      expect(mail?.envelope.to).toEqual(["owner@other.test"]);
      expect(mail?.parsed.subject).toBe("[Test] Neu, Owner");
      expect(mail?.parsed.html).toContain('lang="de"');
      const [event] = await service.ctx.db.prisma.event.findMany({ where: { type: "user.trial_message.requested" } });
      expect(event).toMatchObject({ actor: "owner", payload: { messageType: "invite_user", language: "de" } });
    });

    it("of a message to phones goes to the author's own verified number", async () => {
      const set = (phone: string | null) =>
        service.ctx.db.prisma.user.update({ where: { id: "owner" }, data: { phone, isPhoneVerified: phone !== null } });
      await set("+15551234567");
      const body = { fields: { text: "Type {{.Code}}" } };
      const { id } = (await post(`${MANAGEMENT}/verifyphone/en/_test_send`, { token: owner, body })).body;
      expect(await deliver()).toBe("kept");
      const { recipient, subject } = await service.ctx.db.prisma.outboxMessage.findUniqueOrThrow({ where: { id } });
      expect([recipient, subject]).toEqual(["+15551234567", "[Test] Type ••••••"]);
      await set(null);
    });

    it("shows an example user instead of the author, and reports its delivery to the author only", async () => {
      const body = { fields: { subject: "For {{.DisplayName}}" }, sample: "right_to_left" };
      const path = `${MANAGEMENT}/password_change/en/_test_send`;
      const { id } = (await post(path, { token: owner, body })).body;
      const stateOf = (token: string, level = "management", of = id) =>
        callApi(service, "GET", `/${level}/v1/text/trials/${of}`, { token });
      expect(trialStateSchema.strict().parse((await stateOf(owner)).body)).toMatchObject({ state: "queued" });
      expect(await deliver()).toBe("sent");
      const mails = await server.received(2);
      expect(mails.at(-1)?.parsed.subject).toBe("[Test] For ليلى حداد");
      const { body: state } = await stateOf(owner);
      expect(state).toMatchObject({ id, state: "sent", attempts: 1, lastAnswer: expect.stringMatching(/^250/) });
      for (const [token, level, of] of [
        [editor, "management", id],
        [admin, "management", id],
        [admin, "admin", id],
        [owner, "management", "nothing"],
        [owner, "management", "%00"],
      ] as const) {
        expect(refusalOf(await stateOf(token, level, of))).toEqual({ status: 404, code: 5, id: "message.not_found" });
      }
      expect((await stateOf(owner, "admin")).status).toBe(403);
    });

    it("is not sent for texts that would be refused, or without a verified address or phone", async () => {
      const before = await countAllRows(service.ctx);
      const send = (type: string, body: object = {}) =>
        post(`${MANAGEMENT}/${type}/en/_test_send`, { token: owner, body });
      expect(refusalOf(await send("init", { fields: { title: "{{.Foo}}" } })).id).toBe("message_text.unknown_variable");
      expect(refusalOf(await send("verifyphone"))).toEqual({ status: 400, code: 9, id: "user.no_verified_phone" });
      const change = (isEmailVerified: boolean) =>
        service.ctx.db.prisma.user.update({ where: { id: "owner" }, data: { isEmailVerified } });
      await change(false);
      expect(refusalOf(await send("init"))).toEqual({ status: 400, code: 9, id: "user.no_verified_email" });
      await change(true);
      expect(await countAllRows(service.ctx)).toEqual(before);
    });

    it("is sent in all languages together, three times an hour, and not by text message", async () => {
      const send = (type: string, more: object = {}) =>
        post("/management/v1/text/messages/_test_send", { token: owner, body: { type, ...more } });
      const unsaved = (subject: string) => ({ unsaved: { language: "de", fields: { subject } } });
      const wrong = await send("password_change", unsaved("{{.Nothing}}"));
      expect(refusalOf(wrong)).toMatchObject({ status: 400, id: "message_text.unknown_variable" });
      const sent = await send("password_change", unsaved("Noch nicht gespeichert"));
      const { languages } = sent.body as { languages: string[] };
      expect(languages.length).toBeGreaterThan(20);
      const where = { type: "password_change", organizationId: { not: "" }, recipient: "owner@other.test" };
      const queued = await service.ctx.db.prisma.outboxMessage.findMany({ where });
      const inLanguages = queued.map(({ payload }) => (payload as { language?: string }).language);
      expect([...new Set(inLanguages)].sort()).toEqual([...languages].sort());
      // What is being written is in one of them; the others are as they are saved.
      const written = queued.flatMap(({ payload }) => {
        const { language, fields } = payload as { language?: string; fields?: { subject: string } };
        return fields ? [[language, fields.subject]] : [];
      });
      expect(written).toContainEqual(["de", "Noch nicht gespeichert"]);
      // A single trial in English was asked for before.
      expect(written.filter(([language]) => language !== "de" && language !== "en")).toEqual([]);
      expect([(await send("password_change")).status, (await send("password_change")).status]).toEqual([200, 200]);
      expect(refusalOf(await send("password_change"))).toMatchObject({ status: 429, id: "message.too_many_trials" });
      expect((await send("verifysmsotp")).status).toBe(400);
    });

    it("is limited to twenty an hour: 429, code 8", async () => {
      const send = () => post(`${MANAGEMENT}/init/en/_test_send`, { token: editor });
      const statuses = [];
      for (let round = 0; round < 22; round++) statuses.push((await send()).status);
      expect(statuses).toEqual([...Array(20).fill(200), 429, 429]);
      expect(refusalOf(await send())).toEqual({ status: 429, code: 8, id: "message.too_many_trials" });
      const queued = await service.ctx.db.prisma.outboxMessage.count({ where: { recipient: "editor@other.test" } });
      expect(queued).toBe(20);
      service.advance(3_600_001);
      editor = await apiToken(service, "editor@other.test");
      expect((await send()).status).toBe(200);
    });
  });
});
