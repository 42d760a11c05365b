import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { authorizePath } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { pageTextsOf } from "../../texts/pages/page-texts";
import { ZITADEL_TEXTS } from "../../texts/pages/zitadel-texts";
import { readZitadelService } from "../zitadel/descriptors";

const PATH = "/management/v1/text/login/en";

describe("page texts in ZITADEL's groups", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (method: string, body?: unknown, at = PATH) => callApi(service, method, at, { token, body });
  const compatible = (zitadelCompatibility: boolean) => call("PUT", { zitadelCompatibility }, "/v2/features/instance");
  const texts = {
    loginText: { title: "Welcome to ACME", description: "Use your badge." },
    footer_text: { tos: "House rules", support_email: "Ask us" },
  };
  async function signInPage(): Promise<string> {
    const browser = service.browser();
    const at = (await browser.get(authorizePath())).headers.get("location") ?? "";
    return (await browser.get(at)).text();
  }

  it("are unknown while the service is not compatible with ZITADEL's clients", async () => {
    const answer = await call("PUT", { ...texts, signIn: { title: "Hello" } });
    expect(answer.headers.get("x-service-ignored")).toBe(
      "loginText.title, loginText.description, footerText.tos, footerText.supportEmail",
    );
    expect((await call("GET")).body.customText).toMatchObject({ signIn: { title: "Hello" } });
    expect((await call("GET")).body.customText).not.toHaveProperty("loginText");
    await call("DELETE");
  });

  it("are the texts of pages where they have a counterpart, and are otherwise stored, returned and named", async () => {
    await compatible(true);
    const answer = await call("PUT", texts);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-service-ignored")).toBe("loginText.description, footerText.supportEmail");
    const { customText } = (await call("GET")).body;
    expect(customText).toMatchObject({
      signIn: { title: "Welcome to ACME" },
      common: { terms: "House rules" },
      loginText: texts.loginText,
      footerText: { tos: "House rules", supportEmail: "Ask us" },
    });
    const page = await signInPage();
    expect(page).toContain("Welcome to ACME");
    expect(page).not.toContain("Use your badge.");
  });

  it("written twice change nothing the second time", async () => {
    const { sequence } = (await call("GET")).body.customText.details;
    expect((await call("PUT", texts)).body.details.sequence).toBe(sequence);
  });

  it("are kept by a writer who does not know them, and end with a reset", async () => {
    await call("PUT", { signIn: { title: "Hello" } });
    expect((await call("GET")).body.customText).toMatchObject({
      loginText: { title: "Hello", description: "Use your badge." },
      footerText: { supportEmail: "Ask us" },
    });
    expect((await call("GET")).body.customText.footerText).not.toHaveProperty("tos");
    await call("DELETE");
    expect((await call("GET")).body.customText).toMatchObject({ isDefault: true, loginText: { title: "Sign in" } });
    expect((await call("GET")).body.customText.loginText).not.toHaveProperty("description");
  });

  it("with an unknown key, or one that is too long, are named and refused", async () => {
    const unknown = await call("PUT", { loginText: { title: "Hello", subtitle: "No" } });
    expect([unknown.status, unknown.headers.get("x-service-ignored")]).toEqual([200, "loginText.subtitle"]);
    expect((await call("PUT", { loginText: { description: "x".repeat(501) } })).status).toBe(400);
    expect((await call("PUT", { loginText: { title: "<b>" } })).status).toBe(400);
    await call("DELETE");
    await compatible(false);
  });
});

it("the list has every text of ZITADEL's message, each counterpart exists and has one name", async () => {
  const service = await readZitadelService("zitadel.management.v1.ManagementService");
  const { input } = service.method.setCustomLoginText ?? {};
  const names = (input?.fields ?? []).flatMap(({ jsonName, message }) =>
    (message?.fields ?? []).map((field) => `${jsonName}.${field.jsonName}`),
  );
  expect([...ZITADEL_TEXTS.keys()].sort()).toEqual(names.sort());
  const counterparts = [...ZITADEL_TEXTS.values()].filter((own) => own !== undefined);
  expect(counterparts.filter((own) => !pageTextsOf("en").has(own))).toEqual([]);
  expect(new Set(counterparts).size).toBe(counterparts.length);
});
