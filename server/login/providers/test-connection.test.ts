import { afterAll, beforeAll, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { type TestService, testService } from "../../testing/test-context";

let service: TestService;
let provider: ForgedProvider;
let token: string;
beforeAll(async () => {
  service = await testService("sqlite", exampleBootstrap);
  token = await apiToken(service);
});
afterAll(() => service.close());

async function tested(change: (provider: ForgedProvider) => void) {
  provider = await forgedProvider();
  change(provider);
  const body = { name: "Tested", clientId: "us", clientSecret: "s3cret", issuer: provider.issuer };
  const { id } = (await callApi(service, "POST", "/management/v1/idps/generic_oidc", { token, body })).body;
  const answer = await callApi(service, "POST", `/management/v1/idps/${id}/_test`, { token });
  await provider.close();
  return answer.body.checks.map(({ check, passed }: { check: string; passed?: boolean }) => [check, passed]);
}

it("a client is right if the provider refuses only the code that it never issued", async () => {
  const checks = await tested((one) => {
    one.refusal = { status: 400, error: "invalid_grant" };
  });
  expect(checks).toEqual([
    ["discovery", true],
    ["keys", true],
    ["client", true],
  ]);
  expect(provider.redeemed.at(-1)?.get("redirect_uri")).toBe("http://localhost:8080/idps/callback");
});

it.each([
  ["a wrong secret", { status: 401, error: "invalid_client" }, false],
  ["an answer that leaves it open", { status: 500, error: "server_error" }, undefined],
])("the check of the client reports %s", async (_, refusal, passed) => {
  const checks = await tested((one) => {
    one.refusal = refusal;
  });
  expect(checks.at(-1)).toEqual(["client", passed]);
});

it.each([
  ["another issuer", { issuer: "https://evil.test" }, "discovery"],
  ["no token endpoint", { token_endpoint: undefined }, "discovery"],
  ["keys inside the network", { jwks_uri: "https://10.0.0.1/keys" }, "keys"],
])("%s ends the test", async (_, document, check) => {
  const checks = await tested((one) => {
    one.document = document;
  });
  expect(checks.at(-1)).toEqual([check, false]);
});

it("a provider that was unreachable before is asked again", async () => {
  provider = await forgedProvider();
  const { issuer } = provider;
  await provider.close();
  const body = { name: "Down", clientId: "us", clientSecret: "s3cret", issuer };
  const { id } = (await callApi(service, "POST", "/management/v1/idps/generic_oidc", { token, body })).body;
  const { checks } = (await callApi(service, "POST", `/management/v1/idps/${id}/_test`, { token })).body;
  expect(checks).toMatchObject([{ check: "discovery", passed: false }]);
});
