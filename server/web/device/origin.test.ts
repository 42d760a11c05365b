// The origin of a device's request, as shown to the user, who may have got the code from a stranger (RFC 8628 §5.4).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEVICE_CODE_LIFETIME } from "../../oidc/endpoints/device-authorization";
import { type Device, deviceBootstrap } from "../../testing/device";
import { fillSignIn } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { serviceAt } from "../../testing/visits";
import { limits } from "../../throttle";

const PROXY = "198.51.100.1";
const ANDROID = "Mozilla/5.0 (Linux; Android 14; <b>TV</b>) Chrome/130.0 Safari/537.36";

describe("The page that asks about a device's code", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", deviceBootstrap);
  });
  afterAll(() => service.close());

  const ask = async (forwarded: string, userAgent: string) => {
    const answer = await serviceAt(service, PROXY).fetch("/oauth/v2/device_authorization", {
      method: "POST",
      body: new URLSearchParams({ client_id: "tv", scope: "openid" }),
      headers: { "x-forwarded-for": forwarded, "user-agent": userAgent },
    });
    return ((await answer.json()) as Device).user_code;
  };
  /** Returns the page after the user has signed in. */
  const shown = async (code: string) => {
    const browser = service.browser();
    const typed = await browser.post("/device/submit", { user_code: code });
    const confirm = await fillSignIn(browser, typed);
    return (await browser.get(confirm.headers.get("location") ?? "")).text();
  };
  const address = (html: string) => /<dt>IP address<\/dt><dd><bdi dir="ltr">([^<]*)<\/bdi>/.exec(html)?.[1];

  it("shows the origin of the request, from trusted proxies only, as inert text", async () => {
    const html = await shown(await ask("192.0.2.66, 203.0.113.7", ANDROID));
    expect(address(html)).toBe(PROXY);
    expect(html).toContain("<dt>Device</dt><dd><bdi>Chrome · Android</bdi></dd>");
    const { config } = service.ctx;
    Object.assign(config, { trustedProxies: [PROXY] });
    try {
      expect(address(await shown(await ask("192.0.2.66, 203.0.113.7", ANDROID)))).toBe("203.0.113.7");
      const unknown = await shown(await ask(`fe80::1%${"z".repeat(100)}`, "<b>toaster</b>/1"));
      expect(unknown).not.toContain("<dt>IP address</dt>");
      expect(unknown).not.toContain("<dt>Device</dt>");
    } finally {
      Object.assign(config, { trustedProxies: [] });
    }
  });

  it("is limited per network and per client, with little storage", async () => {
    const of = async (form: Record<string, string>, address: string) =>
      serviceAt(service, address).fetch("/oauth/v2/device_authorization", {
        method: "POST",
        body: new URLSearchParams({ client_id: "tv", scope: "openid", ...form }),
      });
    const idp = Array.from({ length: 20 }, (_, index) => `urn:service:iam:org:idp:id:${"x".repeat(100)}${index}`);
    const { device_code } = await (await of({ scope: `openid ${idp.join(" ")}` }, "192.0.2.1")).json();
    expect(device_code).toBeDefined();
    const row = await service.ctx.db.prisma.deviceAuthorization.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    expect(row.scope).toBe("openid");
    const roles = Array.from(
      { length: 20 },
      (_, index) => `urn:service:iam:org:project:role:${"r".repeat(50)}${index}`,
    );
    const long = await of({ scope: `openid ${roles.join(" ")}` }, "192.0.2.2");
    expect([long.status, (await long.json()).error]).toEqual([400, "invalid_scope"]);
    const { blockAt } = limits.devicesFrom;
    const statuses = [];
    for (let sent = 0; sent < blockAt + 2; sent++) statuses.push((await of({}, "192.0.2.3")).status);
    expect(statuses).toEqual([...Array<number>(blockAt).fill(200), 429, 429]);
    expect((await of({}, "192.0.2.4")).status).toBe(200);
    service.advance(DEVICE_CODE_LIFETIME);
    expect((await of({}, "192.0.2.3")).status).toBe(200);
  });

  it("works with rows that an earlier release stored during an update", async () => {
    const code = await ask("", ANDROID);
    await service.ctx.db.prisma.deviceAuthorization.updateMany({ data: { address: null, device: null } });
    const html = await shown(code);
    expect(html).toContain(code);
    expect(html).not.toContain("<dt>IP address</dt>");
  });
});
