/** Auth.js (@auth/core, what next-auth runs) with an OIDC provider that names nothing but issuer, id and secret. */
import { Auth, type AuthConfig } from "@auth/core";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientApp, withApps } from "../../testing/client-apps";
import { SECRET } from "../../testing/example";
import {
  type ApplicationOnAPort,
  applicationOnAPort,
  type ServiceOnAPort,
  serviceOnAPort,
  surfer,
} from "../../testing/on-a-port";

describe("Auth.js with its defaults", () => {
  let service: ServiceOnAPort;
  let application: ApplicationOnAPort;
  beforeAll(async () => {
    application = await applicationOnAPort();
    const redirectUris = [`${application.origin}/auth/callback/service`];
    service = await serviceOnAPort(
      withApps(
        clientApp("web", application.origin, { redirectUris }),
        clientApp("telling", application.origin, { redirectUris, idTokenUserinfoAssertion: true }),
      ),
    );
  });
  afterAll(async () => {
    await application.close();
    await service.close();
  });

  /** The session after a sign-in, and after a sign-out. */
  async function walk(clientId: string, more: { idToken?: boolean } = {}) {
    const errors: Error[] = [];
    const config: AuthConfig = {
      basePath: "/auth",
      secret: "a secret of the application's own",
      trustHost: true,
      providers: [
        { id: "service", name: "S", type: "oidc", issuer: service.origin, clientId, clientSecret: SECRET, ...more },
      ],
      logger: { error: (error) => errors.push(error) },
    };
    application.serve(getRequestListener((request) => Auth(request, config)));
    const browser = surfer(service.origin);
    const page = await browser.open(`${application.origin}/auth/signin`);
    const csrfToken = /name="csrfToken" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const callbackUrl = `${application.origin}/auth/session`;
    const arrived = await browser.post(`${application.origin}/auth/signin/service`, { csrfToken, callbackUrl });
    expect(errors).toEqual([]);
    expect(arrived.url.href).toBe(callbackUrl);
    const left = await browser.post(`${application.origin}/auth/signout`, { csrfToken, callbackUrl });
    return [JSON.parse(arrived.body), JSON.parse(left.body)];
  }

  it("signs in and out; name and address need one setting on either side", async () => {
    const nameless = { user: {}, expires: expect.any(String) };
    const named = { user: { name: "Ada Lovelace", email: "ada@acme.test" }, expires: expect.any(String) };
    expect(await walk("web")).toEqual([nameless, null]);
    expect(await walk("web", { idToken: false })).toMatchObject([named, null]);
    expect(await walk("telling")).toMatchObject([named, null]);
  });
});
