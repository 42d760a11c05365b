import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { authorizePath } from "../../testing/flow";
import { mailsTo } from "../../testing/mailed";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { loginRoutes } from "./routes";

const posts = Object.keys(loginRoutes).filter((address) => loginRoutes[address]?.POST);
const gets = Object.keys(loginRoutes).filter((address) => loginRoutes[address]?.GET);

describe("The addresses of the login", () => {
  let service: TestService;
  let flow: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const first = await service.fetch(authorizePath());
    flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
  });
  afterAll(() => service.close());

  const form = { loginName: "ada@acme.test", password: "a lamp, a river and a tram", email: "x@navy.test", code: "A" };

  it.each(
    posts.flatMap((address) => [
      [address, "another site's form", { origin: "https://evil.test" }],
      [address, "an opaque origin", { origin: "null" }],
      [address, "a cross-site navigation", { origin: BASE_URL, "sec-fetch-site": "cross-site" }],
    ]),
  )("%s refuses %s with 403 and does nothing (login CSRF)", async (address, _, headers) => {
    const body = new URLSearchParams({ flow, ...form });
    const response = await service.fetch(String(address), { method: "POST", body, headers: headers as HeadersInit });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await mailsTo(service)).toEqual([]);
  });

  it.each(posts)("%s accepts only forms, and never fails on other bodies", async (address) => {
    const statuses: number[] = [];
    for (const init of [
      { body: '{"flow":"x"}', headers: { "content-type": "application/json" } },
      { body: "flow=%00&flow=2&loginName=%ff", headers: { "content-type": "application/x-www-form-urlencoded" } },
      { body: `flow=${"A".repeat(5000)}`, headers: { "content-type": "application/x-www-form-urlencoded" } },
    ]) {
      statuses.push((await service.fetch(address, { method: "POST", ...init })).status);
    }
    // No form, no readable form, no flow of ours.
    expect(statuses).toEqual([400, 400, 410]);
  });

  it.each(gets)("%s never fails on an invalid flow, and shows nothing of it", async (address) => {
    for (const query of [
      "flow=",
      "flow=x",
      "flow=%00",
      `flow=${"A".repeat(5000)}`,
      "flow=<script>alert(1)&what=<script>alert(1)",
    ]) {
      const response = await service.fetch(`${address}?${query}`);
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).not.toContain("<script>alert");
    }
  });

  it.each(gets)("%s writes nothing when it is opened", async (address) => {
    const count = () => service.ctx.db.prisma.event.count();
    const before = await count();
    await service.fetch(`${address}?flow=${flow}`);
    await service.fetch(address);
    expect(await count()).toBe(before);
  });
});
