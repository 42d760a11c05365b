import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../../testing/database";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("the search over all texts on %s", (kind) => {
  let service: TestService;
  let iam: ApiCaller;
  let evil: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    iam = await callerOf(service, "acme-iam");
    evil = await callerOf(service, "evil-mallory");
  });
  afterAll(() => service.close());

  it("finds the text of each level that overrides the inherited one, and nothing of another organization", async () => {
    await iam("PUT", "/management/v1/text/login/en", { signIn: { title: "Xylophone of ours" } });
    await iam("PUT", "/admin/v1/text/message/password_change/de", { subject: "xylophone for all" });
    const of = async (caller: ApiCaller, body: object) =>
      ((await caller("POST", "/management/v1/text/_search", body)).body as { result: object[] }).result;
    const forAll = { language: "de", type: "password_change", field: "subject", layer: "instance" };
    expect(await of(iam, { query: "XYLOPHONE" })).toMatchObject([
      forAll,
      { language: "en", field: "signIn.title", text: "Xylophone of ours", layer: "organization" },
    ]);
    expect(await of(iam, { query: "xylophone", language: "en" })).toHaveLength(1);
    expect(await of(evil, { query: "xylophone" })).toMatchObject([forAll]);
    expect(await of(iam, { query: "sign in", language: "en" })).not.toContainEqual(
      expect.objectContaining({ text: "Sign in", field: "signIn.title" }),
    );
    const many = (await iam("POST", "/admin/v1/text/_search", { query: "e" })).body as { result: []; isMore: boolean };
    expect([many.result.length, many.isMore]).toEqual([100, true]);
    expect((await iam("POST", "/admin/v1/text/_search", { query: "" })).status).toBe(400);
  });
});
