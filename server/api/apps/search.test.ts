import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

describe.each(databaseKinds)("the search for apps on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (path: string, body: object) => callApi(service, "POST", path, { token, body });

  it("lists the app with exactly the searched name or client ID first, then the beginnings, then words of names", async () => {
    const made = [];
    for (const name of ["The Quail", "Quail two", "Quail", "Ölmühle"])
      made.push((await call("/management/v1/projects/p1/apps/oidc", { name })).body);
    const find = async (text: string) =>
      (await call("/management/v1/apps/_search", { queries: [{ textQuery: { text } }] })).body.result.map(
        ({ name }: { name: string }) => name,
      );
    expect(await find("quail")).toEqual(["Quail", "Quail two", "The Quail"]);
    expect(await find("two QUAIL")).toEqual(["Quail two"]);
    expect(await find(made[0]?.clientId ?? "")).toEqual(["The Quail"]);
    expect(await find("Ölm")).toEqual(["Ölmühle"]);
    expect(await find("'; --")).toEqual([]);
  });
});
