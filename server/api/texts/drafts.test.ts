import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const MESSAGE = "/management/v1/text/message/domainclaimed/en";
const OPENS = "/management/v1/text/message/passwordreset/en";
const LOGIN = "/management/v1/text/login/en";
const DRAFTS = "/management/v1/text/drafts";
const POLICY = "/management/v1/policies/texts";

describe.each(ruleDatabases)("changes of texts that require approval (TEXT-12) on %s", (kind) => {
  let service: TestService;
  /** People: two owners of ACME, and one who may do less. */
  let olga: ApiCaller;
  let otto: ApiCaller;
  let settie: ApiCaller;
  let bot: ApiCaller;
  let iam: ApiCaller;
  let evil: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    const person = async (name: string): Promise<ApiCaller> => {
      const token = await apiToken(service, `${name}@acme.test`);
      return (method, path, body, ifMatch) =>
        callApi(service, method, path, { token, body, headers: ifMatch ? { "if-match": ifMatch } : {} });
    };
    iam = await callerOf(service, "acme-iam");
    bot = await callerOf(service, "acme-bot");
    evil = await callerOf(service, "evil-mallory");
    const body = { userId: "u-eve", roles: ["ORG_OWNER"] };
    expect((await bot("POST", "/management/v1/orgs/me/members", body)).status).toBe(200);
    [olga, otto, settie] = [await person("olga"), await person("eve"), await person("settie")];
  });
  afterAll(() => service.close());

  const waiting = async () => (await olga("GET", DRAFTS)).body.result as { id: string }[];
  const shown = async (id: string) => (await olga("GET", `${DRAFTS}/${id}`)).body.draft;
  const kept = async (call: ApiCaller, path: string, body: object): Promise<string> => {
    const { status, body: answer } = await call("PUT", path, body);
    expect([status, answer.draft?.id]).toEqual([200, expect.any(String)]);
    return answer.draft.id;
  };
  const subject = async () => (await olga("GET", MESSAGE)).body.customText.subject;
  const title = async () => (await olga("GET", LOGIN)).body.customText.selectAccount?.title;

  beforeEach(async () => {
    await olga("DELETE", POLICY);
    await olga("DELETE", MESSAGE);
    await olga("DELETE", LOGIN);
    await service.ctx.db.prisma.textDraft.deleteMany({});
    expect((await olga("POST", POLICY, { requireTextApproval: true })).status).toBe(200);
  });

  it("are refused in a file of a caller, and accepted in the operator's", async () => {
    const before = [await subject(), await title()];
    const file = (texts: object) => ({ organizations: [{ id: "acme", name: "ACME", ...texts }] });
    const message = file({ messageTexts: [{ type: "domainclaimed", language: "en", subject: "By file" }] });
    const words = file({ loginTexts: [{ language: "en", selectAccount: { title: "By file" } }] });
    for (const [body, field] of [
      [message, "organizations[0].messageTexts[0]"],
      [words, "organizations[0].loginTexts[0]"],
    ] as const) {
      const refused = await iam("POST", "/admin/v1/_apply", body);
      expect([refused.status, refused.body.details?.[0]]).toMatchObject([400, { id: "apply.mistake", field }]);
      expect(refused.body.message).toContain("approval");
    }
    expect([await subject(), await title()]).toEqual(before);
    await applyBootstrap(service.ctx, message);
    expect(await subject()).toBe("By file");
    // What says what is there already changes nothing.
    expect((await iam("POST", "/admin/v1/_apply", message)).status).toBe(200);
  });

  it("wait, and change no published text, until another person approves them", async () => {
    const before = [await subject(), await title()];
    const message = await kept(olga, MESSAGE, { subject: "New" });
    const words = await kept(olga, LOGIN, { selectAccount: { title: "Hello" } });
    expect([await subject(), await title()]).toEqual(before);
    expect(await waiting()).toMatchObject([
      { id: message, type: "domainclaimed", language: "en", author: { id: "u-olga", name: expect.any(String) } },
      { id: words, language: "en" },
    ]);
    expect(await shown(message)).toMatchObject({ fields: { subject: "New" }, base: {}, own: {}, isOvertaken: false });
    for (const id of [message, words]) expect((await otto("POST", `${DRAFTS}/${id}/_approve`)).status).toBe(200);
    expect([await subject(), await title()]).toEqual(["New", "Hello"]);
    expect(await waiting()).toEqual([]);
    // Both are named.
    const [{ changes }, events] = [
      (await olga("GET", `${MESSAGE}/_history`)).body,
      (await olga("POST", "/management/v1/events/_search", { aggregateTypes: ["message_text"], limit: 1 })).body,
    ];
    expect(changes[0]).toMatchObject({ actor: { id: "u-eve" }, author: { id: "u-olga" }, fields: { subject: "New" } });
    expect(events.result[0].mentions).toMatchObject([{ field: "userId", id: "u-olga" }]);
  });

  it("are stored for resets, translators' files and version 2, too", async () => {
    await olga("PUT", POLICY, { requireTextApproval: false });
    await olga("PUT", MESSAGE, { subject: "Live" });
    await olga("PUT", POLICY, { requireTextApproval: true });
    const reset = (await olga("DELETE", MESSAGE)).body.draft.id;
    expect([await subject(), (await shown(reset)).fields]).toEqual(["Live", {}]);
    const file = { language: "en", pages: { selectAccount: { title: "From a file" } } };
    const imported = await olga("POST", "/management/v1/text/translations/en/_import", {
      format: "json",
      content: JSON.stringify(file),
    });
    expect(imported.body).toMatchObject({ isApplied: true, isDraft: true });
    const locale = { locale: "de", translations: { selectAccount: { title: "Moin" } } };
    expect((await olga("PUT", "/v2/settings/hosted_login_translation", locale)).body.draft).toBeDefined();
    // A second file goes on with what the first one drafted.
    const more = { language: "en", pages: { selectAccount: { another: "Not you?!" } } };
    await olga("POST", "/management/v1/text/translations/en/_import", {
      format: "json",
      content: JSON.stringify(more),
    });
    const found = (await waiting()) as { id: string; type?: string; language: string }[];
    const words = found.find(({ type, language }) => type === undefined && language === "en");
    expect((await shown(words?.id ?? "")).fields).toEqual({
      "selectAccount.title": "From a file",
      "selectAccount.another": "Not you?!",
    });
    expect(await title()).not.toBe("From a file");
    expect((await otto("POST", `${DRAFTS}/${reset}/_approve`)).status).toBe(200);
    expect((await olga("GET", MESSAGE)).body.customText.isDefault).toBe(true);
  });

  it("are not approved by their author, by a machine or by a user with fewer permissions than the readers", async () => {
    const id = await kept(olga, MESSAGE, { subject: "New" });
    const refused = async (call: ApiCaller, which = id) =>
      refusalOf(await call("POST", `${DRAFTS}/${which}/_approve`)).id;
    expect(await refused(olga)).toBe("text_draft.own");
    expect(await refused(bot)).toBe("text_draft.machine");
    expect(refusalOf(await olga("POST", `${DRAFTS}/${id}/_reject`, {})).id).toBe("text_draft.own");
    expect(await refused(evil)).toBe("text_draft.not_found");
    expect((await evil("POST", `${DRAFTS}/${id}/_approve`, undefined, "acme")).status).toBe(403);
    expect((await evil("GET", `${DRAFTS}/${id}`)).status).toBe(404);
    expect((await evil("GET", DRAFTS)).body.result).toEqual([]);
    // One of its readers owns the service, so its owner wrote it.
    const opens = await kept(iam, OPENS, { subject: "Reset it" });
    expect(await refused(olga, opens)).toBe("access.higher_role");
    const words = await kept(iam, LOGIN, { secondFactor: { title: "Call us" } });
    expect(await refused(olga, words)).toBe("access.higher_role");
    expect(refusalOf(await olga("POST", `${DRAFTS}/${words}/_reject`, {})).id).toBe("access.higher_role");
    expect(await waiting()).toHaveLength(3);
    // What a machine writes needs a person like everything else.
    await olga("DELETE", `${DRAFTS}/${id}`);
    const ofMachine = await kept(bot, MESSAGE, { subject: "By a machine" });
    expect((await olga("POST", `${DRAFTS}/${ofMachine}/_approve`)).status).toBe(200);
  });

  it("wait if the instance requires it, which an organization cannot revoke, or if the organization requires it", async () => {
    const demand = (isOn: boolean) => iam("PUT", "/admin/v1/policies/texts", { requireTextApproval: isOn });
    const inForce = async () => (await settie("GET", POLICY)).body.policy.requireTextApproval;
    expect((await demand(true)).status).toBe(200);
    expect((await settie("PUT", POLICY, { requireTextApproval: false })).status).toBe(200);
    expect(await inForce()).toBe(true);
    await kept(settie, MESSAGE, { subject: "Alone" });
    const file = { format: "json", content: JSON.stringify({ language: "en", pages: { home: { title: "Alone" } } }) };
    const imported = await settie("POST", "/management/v1/text/translations/en/_import", file);
    expect(imported.body).toMatchObject({ isDraft: true });
    expect((await demand(false)).status).toBe(200);
    expect(await inForce()).toBe(false);
    expect((await settie("PUT", POLICY, { requireTextApproval: true })).status).toBe(200);
    expect(await inForce()).toBe(true);
  });

  it("are approved as shown: an edit creates another one, and a changed text is refused", async () => {
    const seen = await kept(olga, MESSAGE, { subject: "Harmless" });
    const edited = await kept(olga, MESSAGE, { subject: "Another" });
    expect(await kept(olga, MESSAGE, { subject: "Another" })).toBe(edited);
    expect(refusalOf(await otto("POST", `${DRAFTS}/${seen}/_approve`)).id).toBe("text_draft.not_found");
    await olga("PUT", POLICY, { requireTextApproval: false });
    // Switching the policy off approves nothing.
    expect(await subject()).not.toBe("Another");
    await settie("PUT", MESSAGE, { subject: "Meanwhile" });
    await olga("PUT", POLICY, { requireTextApproval: true });
    expect(refusalOf(await otto("POST", `${DRAFTS}/${edited}/_approve`))).toMatchObject({
      status: 412,
      id: "text_draft.overtaken",
    });
    const now = await shown(edited);
    expect(now).toMatchObject({ isOvertaken: true, base: {}, own: { subject: "Meanwhile" } });
    expect((await otto("POST", `${DRAFTS}/${edited}/_approve`, undefined, `"${now.sequence}"`)).status).toBe(200);
    expect(await subject()).toBe("Another");
  });

  it("are rejected with a comment, edited or withdrawn by their author, and belong to one author", async () => {
    const id = await kept(olga, MESSAGE, { subject: "New" });
    expect(refusalOf(await otto("PUT", MESSAGE, { subject: "Mine" })).id).toBe("text_draft.of_somebody_else");
    expect(refusalOf(await otto("DELETE", `${DRAFTS}/${id}`)).id).toBe("text_draft.not_author");
    expect((await otto("POST", `${DRAFTS}/${id}/_reject`, { comment: "x".repeat(1001) })).status).toBe(400);
    expect((await otto("POST", `${DRAFTS}/${id}/_reject`, { comment: "Too short" })).status).toBe(200);
    expect(await waiting()).toMatchObject([{ id, rejection: { by: { id: "u-eve" }, comment: "Too short" } }]);
    expect(refusalOf(await otto("POST", `${DRAFTS}/${id}/_approve`)).id).toBe("text_draft.not_found");
    const again = await kept(olga, MESSAGE, { subject: "Longer" });
    expect((await waiting())[0]).toMatchObject({ id: again });
    expect((await waiting())[0]).not.toHaveProperty("rejection");
    expect((await olga("DELETE", `${DRAFTS}/${again}`)).status).toBe(200);
    expect(await waiting()).toEqual([]);
    expect(refusalOf(await olga("DELETE", `${DRAFTS}/${again}`)).id).toBe("text_draft.not_found");
    const events = await olga("POST", "/management/v1/events/_search", { aggregateTypes: ["text_draft"] });
    expect(events.body.result.slice(0, 4).map(({ type }: { type: string }) => type)).toEqual([
      "text_draft.withdrawn",
      "text_draft.saved",
      "text_draft.rejected",
      "text_draft.saved",
    ]);
  });

  it("are checked like every text, when they are written and when they are approved", async () => {
    expect(refusalOf(await olga("PUT", MESSAGE, { subject: "{{" })).id).toBe("message_text.unclosed_braces");
    const id = await kept(olga, MESSAGE, { subject: "Fine" });
    await service.ctx.db.prisma.textDraft.update({ where: { id }, data: { fields: { subject: "{{.Nothing}}" } } });
    expect(refusalOf(await otto("POST", `${DRAFTS}/${id}/_approve`)).id).toBe("message_text.unknown_variable");
    expect(await waiting()).toHaveLength(1);
    // A change without effect needs no approval and withdraws the author's draft.
    expect((await olga("PUT", MESSAGE, {})).body).not.toHaveProperty("draft");
    expect(await waiting()).toEqual([]);
  });
});
