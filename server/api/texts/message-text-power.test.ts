import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definitionOf, MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { countAllRows } from "../../testing/bare-context";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { carriesCode, takesPower } from "../../texts/variables";

const person = (id: string, roles: string[]) => ({
  id: `u-${id}`,
  userName: id,
  password: PASSWORD,
  roles,
  profile: { firstName: id, lastName: "Example" },
  email: { email: `${id}@elsewhere.test`, isEmailVerified: true },
});
const [acme] = exampleBootstrap.organizations;
const bootstrap = {
  organizations: [
    { ...acme, users: [...(acme?.users ?? []), person("boss", ["ORG_OWNER"])] },
    {
      id: "elsewhere",
      name: "Elsewhere",
      domains: [{ domain: "elsewhere.test", verified: true, primary: true }],
      users: [person("eve", ["ORG_OWNER"]), person("settings", ["ORG_SETTINGS_MANAGER"]), person("plain", [])],
    },
  ],
};
const PROTECTED = MESSAGE_TYPES.filter(takesPower);
const OTHERS = MESSAGE_TYPES.filter((type) => !takesPower(type));

describe.each(ruleDatabases)(
  "texts of messages that open or protect accounts (attack: taking over an owner), on %s",
  (kind) => {
    let service: TestService;
    const tokens = new Map<string, string>();
    beforeAll(async () => {
      service = await testService(kind, bootstrap);
      for (const name of ["ada@acme.test", "boss@acme.test", "eve@elsewhere.test", "settings@elsewhere.test"]) {
        tokens.set(name, await apiToken(service, name));
      }
    });
    afterAll(() => service.close());

    const call = (name: string, method: string, path: string, body?: object) =>
      callApi(service, method, path, { token: tokens.get(name), body });
    const textOf = (type: string) => `/management/v1/text/message/${type}/en`;

    it("are set and reset by callers with all permissions of the organization's users", async () => {
      for (const type of PROTECTED) {
        const text = carriesCode(type) ? "Use {{.Code}}" : "Open the link";
        expect((await call("eve@elsewhere.test", "PUT", textOf(type), { text })).status).toBe(200);
        expect((await call("eve@elsewhere.test", "DELETE", textOf(type))).status).toBe(200);
      }
      expect((await call("ada@acme.test", "PUT", textOf("init"), { title: "T" })).status).toBe(200);
      expect((await call("ada@acme.test", "DELETE", textOf("init"))).status).toBe(200);
      expect((await call("ada@acme.test", "PUT", "/admin/v1/text/message/init/de", { title: "T" })).status).toBe(200);
    });

    it.each([
      ["may change the settings and no user", "settings@elsewhere.test"],
      ["owns the organization alone where somebody of it owns the instance", "boss@acme.test"],
    ])("are neither set nor reset by a caller who %s; others are", async (_, name) => {
      const before = await countAllRows(service.ctx);
      for (const type of PROTECTED) {
        for (const [method, body] of [["PUT", {}], ["PUT", { title: "T" }], ["DELETE"]] as const) {
          const answer = await call(name, method, textOf(type), body);
          expect(refusalOf(answer), type).toEqual({ status: 403, code: 7, id: "access.higher_role" });
          expect(answer.body.message).toMatch(/opens or protects accounts/);
        }
      }
      expect(await countAllRows(service.ctx)).toEqual(before);
      for (const type of OTHERS) expect((await call(name, "PUT", textOf(type), { title: "T" })).status).toBe(200);
    });

    it("are all messages with a code or link for access to an account, and all notices but password_change", () => {
      const isProtected = (type: MessageType) => {
        const { opensBy, notice } = definitionOf(type);
        return opensBy !== undefined || notice !== undefined;
      };
      const others = ["domainclaimed", "password_change"];
      expect(PROTECTED).toEqual(
        expect.arrayContaining(MESSAGE_TYPES.filter(isProtected).filter((type) => !others.includes(type))),
      );
      expect(OTHERS).toEqual(others);
    });

    it("are marked for the console", async () => {
      const held = async (name: string) => {
        const { messages } = (await call(name, "GET", "/management/v1/text/messages")).body;
        return messages.flatMap((one: { type: string; takesPower?: true }) => (one.takesPower ? [one.type] : []));
      };
      expect(await held("settings@elsewhere.test")).toEqual(PROTECTED);
      expect(await held("boss@acme.test")).toEqual(PROTECTED);
      expect(await held("eve@elsewhere.test")).toEqual([]);
      expect(await held("ada@acme.test")).toEqual([]);
    });

    it("cannot be changed by an owner once a user of the organization manages the instance", async () => {
      const body = { userId: "u-plain", roles: ["IAM_USER_MANAGER"] };
      expect((await call("ada@acme.test", "POST", "/admin/v1/members", body)).status).toBe(200);
      const answer = await call("eve@elsewhere.test", "PUT", textOf("passwordreset"), { title: "T" });
      expect(refusalOf(answer)).toMatchObject({ id: "access.higher_role" });
      await call("ada@acme.test", "DELETE", "/admin/v1/members/u-plain");
    });

    it("name only hosts that are the service's or proven by the organization", async () => {
      const set = (name: string, path: string, text: string) => call(name, "PUT", path, { text: `{{.Code}} ${text}` });
      const own = textOf("verifyemail");
      expect((await set("eve@elsewhere.test", own, "https://www.elsewhere.test/help")).status).toBe(200);
      for (const text of ["https://acme.test", "https://evil.test/{{.Code}}", "id-acme.test/x"]) {
        const answer = await set("eve@elsewhere.test", own, text);
        expect(refusalOf(answer)).toEqual({ status: 400, code: 3, id: "message_text.foreign_address" });
        expect(answer.body.details[0]).toMatchObject({ field: "text", position: 10 });
      }
      const joined = await set("eve@elsewhere.test", own, "https://elsewhere.test/{{.Code}}");
      expect(refusalOf(joined)).toMatchObject({ status: 400, id: "message_text.joined_address" });
      const instance = await set("ada@acme.test", "/admin/v1/text/message/verifyemail/en", "https://acme.test");
      expect(refusalOf(instance)).toMatchObject({ id: "message_text.foreign_address" });
      for (const type of ["new_device", "account_locked", "password_change", "account_disowned"]) {
        const notice = await call("eve@elsewhere.test", "PUT", textOf(type), { text: "Confirm at login.id-acme.test" });
        expect([type, refusalOf(notice).id]).toEqual([type, "message_text.foreign_address"]);
      }
      const other = await call("settings@elsewhere.test", "PUT", textOf("domainclaimed"), {
        text: "https://evil.test",
      });
      expect(other.status).toBe(200);
    });

    it("are refused by the instance's file, too", async () => {
      const messageTexts = [{ type: "passwordreset", language: "en", text: "{{.Code}} to evil.test" }];
      for (const [file, path] of [
        [{ instance: { messageTexts } }, "instance.messageTexts[0].text"],
        [
          { organizations: [{ id: "elsewhere", name: "Elsewhere", messageTexts }] },
          "organizations[0].messageTexts[0].text",
        ],
      ] as const) {
        const answer = await call("ada@acme.test", "POST", "/admin/v1/_apply", file);
        expect(refusalOf(answer)).toMatchObject({ status: 400, id: "apply.mistake" });
        expect(answer.body.details[0].field).toBe(path);
      }
    });
  },
);
