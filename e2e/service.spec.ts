/** The service as a process: its output and responses before any sign-in. */
import { expect, test } from "./fixtures";

test("discovery names the configured base URL as the issuer, whatever the Host (OIDC Discovery §4.3)", async ({
  service,
}) => {
  const address = `${service.baseUrl.replace("localhost", "127.0.0.1")}/.well-known/openid-configuration`;
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  const { issuer, authorization_endpoint, jwks_uri } = await response.json();
  expect(issuer).toBe(service.baseUrl);
  expect(authorization_endpoint).toBe(`${service.baseUrl}/oauth/v2/authorize`);
  const { keys } = await (await fetch(jwks_uri)).json();
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(key).not.toHaveProperty("d");
});

test("an unknown address is the service's own page, with status 404", async ({ page, service }) => {
  const response = await page.goto(`${service.baseUrl}/no-such-page`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading")).toBeVisible();
});
