/** express-openid-connect in Express: an id_token by form_post, which is its default, and a code with a secret. */
import { createRequire } from "node:module";
import express from "express";
import type { ConfigParams } from "express-openid-connect";
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

// CommonJS whose exports Node cannot name beforehand.
const { auth, requiresAuth } = createRequire(import.meta.url)(
  "express-openid-connect",
) as typeof import("express-openid-connect");

describe("express-openid-connect with its defaults", () => {
  let service: ServiceOnAPort;
  let application: ApplicationOnAPort;
  beforeAll(async () => {
    application = await applicationOnAPort();
    service = await serviceOnAPort(
      withApps(
        clientApp("web", application.origin),
        clientApp("implicit", application.origin, {
          clientSecret: undefined,
          appType: "OIDC_APP_TYPE_USER_AGENT",
          authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
          responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
          grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
        }),
      ),
    );
  });
  afterAll(async () => {
    await application.close();
    await service.close();
  });

  function applicationOf(config: ConfigParams) {
    const app = express();
    const required = { issuerBaseURL: service.origin, baseURL: application.origin, secret: "a secret of its own" };
    app.use(auth({ ...required, authRequired: false, enableTelemetry: false, idpLogout: true, ...config }));
    app.get("/", ({ oidc }, response) => void response.json({ signedIn: oidc.isAuthenticated() }));
    app.get("/profile", requiresAuth(), ({ oidc }, response) => void response.json(oidc.user));
    app.get("/userinfo", requiresAuth(), async ({ oidc }, response) => {
      await oidc.accessToken?.refresh();
      response.json(await oidc.fetchUserInfo());
    });
    return app;
  }

  it("signs in by an id_token in a form, and signs out at both", async () => {
    application.serve(applicationOf({ clientID: "implicit" }));
    const browser = surfer(service.origin);
    const profile = await browser.open(`${application.origin}/profile`);
    expect(JSON.parse(profile.body)).toMatchObject({ sub: "u-ada", name: "Ada Lovelace", email: "ada@acme.test" });
    const left = await browser.open(`${application.origin}/logout`);
    expect([left.url.origin, JSON.parse(left.body)]).toEqual([application.origin, { signedIn: false }]);
    const silent = `${service.origin}/oauth/v2/authorize?client_id=implicit&response_type=id_token&scope=openid&nonce=n&prompt=none`;
    const redirect = `&redirect_uri=${encodeURIComponent(`${application.origin}/callback`)}`;
    const after = await browser.open(silent + redirect, application.origin);
    expect(after.url.hash).toContain("error=login_required");
  });

  it("signs in by a code with only a secret, refreshes and requests userinfo", async () => {
    const authorizationParams = { response_type: "code", scope: "openid profile email offline_access" };
    application.serve(applicationOf({ clientID: "web", clientSecret: SECRET, authorizationParams }));
    const browser = surfer(service.origin);
    await browser.open(`${application.origin}/profile`);
    const { body } = await browser.open(`${application.origin}/userinfo`);
    expect(JSON.parse(body)).toMatchObject({ sub: "u-ada", name: "Ada Lovelace", email: "ada@acme.test" });
  });
});
