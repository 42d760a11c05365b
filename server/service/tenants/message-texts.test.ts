import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { ruleDatabases } from "../../testing/database";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { recipientsOf, type TwoMailServers, twoMailServers } from "../../testing/two-mail-servers";
import { requestOf } from "../../testing/visits";
import { carriesCode, takesPower } from "../../texts/variables";

const M = "/management/v1";
const opening = MESSAGE_TYPES.filter((type) => carriesCode(type));
const notices = MESSAGE_TYPES.filter((type) => takesPower(type) && !carriesCode(type));
const harmless = MESSAGE_TYPES.filter((type) => !takesPower(type));
/** Users of ACME whose role is not above that of its most powerful user, the owner of the instance. */
const WITHOUT_POWER = ["acme-settings", "acme-bot", "acme-org-manager"];

describe.each(ruleDatabases)("texts of messages that open accounts, on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  const callers = new Map<string, ApiCaller>();
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    for (const name of [...WITHOUT_POWER, "acme-iam", "shop-sam", "evil-mallory", "evil-sett"]) {
      callers.set(name, await callerOf(service, name));
    }
    iam = as("acme-iam");
  });
  afterAll(() => service.close());
  const as = (name: string): ApiCaller => {
    const caller = callers.get(name);
    if (!caller) throw new Error(name);
    return caller;
  };
  const put = (call: ApiCaller, type: MessageType, fields: object, organizationId?: string) =>
    call("PUT", `${M}/text/message/${type}/en`, fields, organizationId);

  describe.each(WITHOUT_POWER)("are not changed by %s, who lacks power over some of the recipients", (name) => {
    it.each(opening)("%s", async (type) => {
      const fields = { text: "Hello {{.Code}}" };
      expect((await put(as(name), type, fields)).status).toBe(403);
      expect((await as(name)("DELETE", `${M}/text/message/${type}/en`)).status).toBe(403);
      const { body } = await iam("GET", `${M}/text/message/${type}/en`, undefined, "acme");
      expect(JSON.stringify(body)).not.toContain("Hello {{.Code}}");
    });

    it.each(notices)("%s", async (type) => {
      expect((await put(as(name), type, { subject: "Action required" })).status).toBe(403);
    });

    it("nor by remote procedures and in other languages", async () => {
      for (const procedure of ["SetCustomPasswordResetMessageText", "SetCustomInitMessageText"]) {
        const path = `/service.management.v1.ManagementService/${procedure}`;
        const answer = await as(name)("POST", path, { language: "de", text: "Hallo {{.Code}}" });
        expect([procedure, answer.status]).toEqual([procedure, 403]);
      }
      const german = `${M}/text/message/passwordreset/de`;
      expect((await as(name)("PUT", german, { text: "Hallo {{.Code}}" })).status).toBe(403);
      const file = {
        organizations: [{ id: "acme", name: "ACME", messageTexts: [{ type: "init", language: "en", title: "X" }] }],
      };
      expect((await as(name)("POST", "/admin/v1/_apply", file)).status).toBe(403);
    });

    it("texts of messages without access are changed", async () => {
      for (const type of harmless)
        expect([type, (await put(as(name), type, { title: "Hello" })).status]).toEqual([type, 200]);
    });
  });

  it("are changed only with power over all readers: of a whole organization, or of the instance", async () => {
    for (const type of opening) {
      const fields = { text: "Hello {{.Code}}" };
      expect([type, (await put(as("shop-sam"), type, fields)).status]).toEqual([type, 200]);
      expect([type, (await put(iam, type, fields, "acme")).status]).toEqual([type, 200]);
    }
  });

  it("are refused while a more powerful user belongs to the organization, and allowed again after", async () => {
    expect((await put(as("shop-sam"), "passwordreset", { title: "Before" })).status).toBe(200);
    await iam("POST", "/admin/v1/members", { userId: "u-tess", roles: ["IAM_ORG_MANAGER"] });
    expect((await put(as("shop-sam"), "passwordreset", { title: "Meanwhile" })).status).toBe(403);
    await iam("DELETE", "/admin/v1/members/u-tess");
    expect((await put(as("shop-sam"), "passwordreset", { title: "After" })).status).toBe(200);
  });

  it("send no code to a foreign address, with any author", async () => {
    const accepted: string[] = [];
    for (const type of ["passwordreset", "init", "verifyemailotp", "invite_user"] as const) {
      for (const text of [
        "We noticed an unusual sign-in. Confirm: https://id-acme.test/confirm/{{.Code}}",
        "HTTPS://ID-ACME.TEST/{{.Code}}",
        "http:\\\\id-acme.test\\{{.Code}}",
        "//id-acme.test/{{.Code}}",
        "www.id-acme.test/{{.Code}}",
        "id-acme.test/confirm/{{.Code}}",
        "id-acme.test/?c={{ .Code }}",
        "{{.Code}}.id-acme.test",
        "id‐acme。test/{{.Code}}",
        "id-acme．test/{{.Code}}",
        "xn--id-acm-dva.test/{{.Code}}",
        "192.0.2.7/{{.Code}}",
        "[2001:db8::1]/{{.Code}}",
        "ftp://id-acme.test/{{.Code}}",
        "mailto:thief@id-acme.test?subject={{.Code}}",
        "thief@id-acme.test {{.Code}}",
        "{{.Code}}@id-acme.test",
        "Enter {{.Code}} at https://id-acme.test",
        "https://id-acme.test/ – and your code is {{.Code}}",
        "https://{{.OrgName}}.test/{{.Code}}",
      ]) {
        const answer = await put(iam, type, { text }, "acme");
        if (answer.status !== 400) accepted.push(`${type} ${text}: ${answer.status}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it("contain such an address in no field, even if the code is in another one, and at no level", async () => {
    const accepted: string[] = [];
    for (const field of ["title", "preHeader", "subject", "greeting", "text", "buttonText", "footerText"]) {
      const fields = { text: "Your code: {{.Code}}", [field]: "See https://id-acme.test/now" };
      for (const [call, path, organization] of [
        [iam, `${M}/text/message/passwordreset/fr`, "acme"],
        [iam, "/admin/v1/text/message/passwordreset/fr", undefined],
        [as("shop-sam"), `${M}/text/message/passwordreset/fr`, undefined],
      ] as const) {
        const { status } = await call("PUT", path, fields, organization);
        if (status !== 400) accepted.push(`${field} ${path}: ${status}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it("keep their built-in words, and words with dots that are not addresses", async () => {
    for (const type of opening) {
      const { body } = await iam("GET", `${M}/text/default/message/${type}/en`, undefined, "acme");
      const { details: _, isDefault: __, ...fields } = body.customText;
      expect([type, (await put(iam, type, fields, "acme")).status]).toEqual([type, 200]);
    }
    const text = "Hello {{.DisplayName}}. Your code, e.g. for Mr. Smith, is {{.Code}}...It ends in 1.5 hours.";
    expect((await put(iam, "passwordreset", { text }, "acme")).status).toBe(200);
  });
});

describe.each(ruleDatabases)("an organization's own mail server, on %s", (kind) => {
  let service: TestService;
  let mail: TwoMailServers;
  let iam: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
    mail = await twoMailServers(service);
  });
  afterAll(async () => {
    await mail.stop();
    await service.close();
  });

  /** Requests a new password for a user at an app of evil. */
  async function reset(loginName: string): Promise<void> {
    service.advance(3_601_000);
    const browser = service.browser();
    const first = await browser.get(requestOf("evil-web"));
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    await browser.post("/login/forgot-password/submit", { flow, loginName });
    await mail.deliver();
  }

  it("gets the codes of the organization's own users", async () => {
    await reset("uma@evil.test");
    expect(recipientsOf(mail.theirs)).toContain("uma@evil.test");
  });

  it.each(["IAM_OWNER", "IAM_ORG_MANAGER", "IAM_USER_MANAGER"])(
    "gets none of somebody who has become %s since, and gets them again afterwards",
    async (role) => {
      await iam("DELETE", "/admin/v1/members/u-carl");
      expect((await iam("POST", "/admin/v1/members", { userId: "u-carl", roles: [role] })).status).toBe(200);
      const before = recipientsOf(mail.theirs).length;
      await reset("carl@evil.test");
      expect(recipientsOf(mail.theirs).slice(before)).toEqual([]);
      expect(recipientsOf(mail.own)).toContain("carl@evil.test");
      await iam("DELETE", "/admin/v1/members/u-carl");
      await reset("carl@evil.test");
      expect(recipientsOf(mail.theirs).slice(before)).toContain("carl@evil.test");
    },
  );

  it("gets no waiting message after its recipient has become powerful", async () => {
    service.advance(3_601_000);
    const before = recipientsOf(mail.theirs).length;
    const sent = await iam("POST", `${M}/users/u-pete/password/_reset_notification`, {}, "evil");
    expect(sent.status).toBe(200);
    await iam("POST", "/admin/v1/members", { userId: "u-pete", roles: ["IAM_OWNER"] });
    await mail.deliver();
    expect(recipientsOf(mail.theirs).slice(before)).toEqual([]);
  });

  it("gets no message to a user with more power than all of the organization: addresses, invitations, second factors", async () => {
    service.advance(3_601_000);
    const before = recipientsOf(mail.theirs).length;
    await iam("POST", "/admin/v1/members", { userId: "u-cara", roles: ["IAM_OWNER"] });
    await iam("PUT", `${M}/users/u-cara/email`, { email: "cara2@evil.test" }, "evil");
    await iam("POST", `${M}/users/u-cara/email/_resend_verification`, {}, "evil");
    await mail.deliver();
    expect(
      recipientsOf(mail.theirs)
        .slice(before)
        .filter((to) => to.startsWith("cara")),
    ).toEqual([]);
  });
});
