import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBootstrap } from "../../bootstrap/parse";
import { MESSAGE_TYPES } from "../../message-types/table";
import { apiToken, callApi } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { exportSchema, textsOverviewSchema } from "./message-text-schemas";

describe.each(ruleDatabases)("all texts of a level at once, on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    const set = (level: string, path: string, body: object) =>
      callApi(service, "PUT", `/${level}/v1/text/message/${path}`, { token, body });
    await set("admin", "init/de", { title: "Instanz", subject: "Instanz" });
    await set("management", "init/de", { subject: "Organisation" });
    await set("management", "verifysmsotp/ar", { text: "{{.Code}}" });
    await set("management", "password_change/fr", { title: "Reset later" });
    await callApi(service, "DELETE", "/management/v1/text/message/password_change/fr", { token });
  });
  afterAll(() => service.close());
  const read = async (path: string) => (await callApi(service, "GET", path, { token })).body;

  it("lists every message with its fields and limits, and the levels with a text", async () => {
    const overview = await read("/management/v1/text/messages");
    expect(textsOverviewSchema.strict().safeParse(overview).error).toBeUndefined();
    const messages = textsOverviewSchema.parse(overview).messages;
    expect(messages.map(({ type }) => type)).toEqual(MESSAGE_TYPES);
    const of = (type: string) => messages.find((message) => message.type === type);
    expect(of("init")?.languages).toEqual([
      { language: "de", organization: ["subject"], instance: ["title", "subject"] },
    ]);
    expect(of("verifysmsotp")).toEqual({
      type: "verifysmsotp",
      isShortMessage: true,
      fields: [{ name: "text", limit: 800 }],
      languages: [{ language: "ar", organization: ["text"], instance: [] }],
    });
    expect(of("password_change")?.languages).toEqual([]);
  });

  it("reveals nothing about organizations at instance level", async () => {
    const { messages } = await read("/admin/v1/text/messages");
    const customized = messages.filter(({ languages }: { languages: unknown[] }) => languages.length > 0);
    expect(customized).toMatchObject([
      { type: "init", languages: [{ language: "de", organization: [], instance: ["title", "subject"] }] },
    ]);
  });

  it("exports the texts of the level in the format of the bootstrap file", async () => {
    const exported = await read("/management/v1/text/messages/_export");
    expect(exportSchema.strict().safeParse(exported).error).toBeUndefined();
    expect(exported.messageTexts).toEqual([
      { type: "init", language: "de", subject: "Organisation" },
      { type: "verifysmsotp", language: "ar", text: "{{.Code}}" },
    ]);
    expect((await read("/admin/v1/text/messages/_export")).messageTexts).toEqual([
      { type: "init", language: "de", title: "Instanz", subject: "Instanz" },
    ]);
    const file = { organizations: [{ id: "acme", name: "ACME", ...exported }] };
    expect(parseBootstrap(file)).toMatchObject(file);
  });
});
