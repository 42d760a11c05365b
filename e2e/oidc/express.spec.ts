/** Express applications with express-openid-connect 3 and Passport, unmodified: sign-in, profile, sign-out. */
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import express from "express";
import type { ConfigParams } from "express-openid-connect";
import session from "express-session";
import passport from "passport";
import { type Profile, Strategy, type VerifyCallback } from "passport-openidconnect";
import { ada, clientSecret, clients } from "../directory";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

// CommonJS with exports that Node cannot detect statically.
const { auth, requiresAuth } = createRequire(import.meta.url)(
  "express-openid-connect",
) as typeof import("express-openid-connect");

/** Returns the content of a page with JSON. */
const json = async (page: Page) => JSON.parse(await page.locator("body").innerText());

const sessionSecret = "a secret of the application's own";

/** Returns an application with express-openid-connect: everything except the start page requires a sign-in. */
function protectedApplication(config: ConfigParams): express.Express {
  const application = express();
  application.use(
    auth({ authRequired: false, secret: sessionSecret, idpLogout: true, enableTelemetry: false, ...config }),
  );
  application.get("/", ({ oidc }, response) => void response.json({ signedIn: oidc.isAuthenticated() }));
  application.get("/profile", requiresAuth(), ({ oidc }, response) => void response.json(oidc.user));
  application.get("/userinfo", requiresAuth(), async ({ oidc }, response) => {
    await oidc.accessToken?.refresh();
    response.json(await oidc.fetchUserInfo());
  });
  return application;
}

test("express-openid-connect signs in with its defaults, an id_token by form_post", async ({
  page,
  service,
  relyingParty,
}) => {
  const { siteOrigin } = relyingParty;
  const routes = { postLogoutRedirect: "/signed-out" };
  const { baseUrl } = service;
  relyingParty.serve(
    protectedApplication({ issuerBaseURL: baseUrl, baseURL: siteOrigin, clientID: clients.implicit, routes }),
  );
  await page.goto(`${siteOrigin}/profile`);
  await signIn(page, ada);
  await page.waitForURL(`${siteOrigin}/profile`);
  expect(await json(page)).toMatchObject({ sub: ada.id, name: "Ada Lovelace", email: "ada@acme.test" });

  await page.goto(`${siteOrigin}/logout`);
  expect(page.url()).toContain(`${siteOrigin}/signed-out`);
  await page.goto(`${siteOrigin}/profile`);
  await expect(page.locator("#password")).toBeVisible(); // the service's session ended too
});

test("express-openid-connect works with a code, a refresh token, userinfo and back-channel logout", async ({
  page,
  service,
  relyingParty,
}) => {
  const { siteOrigin } = relyingParty;
  const ended = new Map<string, unknown>();
  const application = protectedApplication({
    issuerBaseURL: service.baseUrl,
    baseURL: siteOrigin,
    clientID: clients.backend,
    clientSecret,
    authorizationParams: { response_type: "code", scope: "openid profile email offline_access" },
    routes: { postLogoutRedirect: "/signed-out" },
    backchannelLogout: {
      store: {
        get: (id, done) => done(null, ended.get(id) as never),
        set: (id, value, done) => {
          ended.set(id, value);
          done?.();
        },
        destroy: (id, done) => {
          ended.delete(id);
          done?.();
        },
      },
    },
  });
  relyingParty.serve(application);
  await page.goto(`${siteOrigin}/profile`);
  await signIn(page, ada);
  await page.waitForURL(`${siteOrigin}/profile`);
  await page.goto(`${siteOrigin}/userinfo`);
  expect(await json(page)).toMatchObject({ sub: ada.id, name: "Ada Lovelace", email: "ada@acme.test" });

  // Signed out at the service, not at the application: the application is notified.
  await page.goto(`${service.baseUrl}/oidc/v1/end_session`);
  await page.locator("#confirm-logout").click();
  await expect(async () => {
    await page.goto(siteOrigin);
    expect(await json(page)).toEqual({ signedIn: false });
  }).toPass();
  expect(ended.size).toBeGreaterThan(0);
});

test("passport-openidconnect signs a person in", async ({ page, service: { baseUrl }, relyingParty }) => {
  const { origin, redirectUri } = relyingParty;
  passport.use(
    new Strategy(
      {
        issuer: baseUrl,
        authorizationURL: `${baseUrl}/oauth/v2/authorize`,
        tokenURL: `${baseUrl}/oauth/v2/token`,
        userInfoURL: `${baseUrl}/oidc/v1/userinfo`,
        clientID: clients.post,
        clientSecret,
        callbackURL: redirectUri,
        scope: ["profile", "email"],
        nonce: "yes",
        maxAge: "3600",
        skipUserProfile: false,
      },
      (_issuer: string, profile: Profile, done: VerifyCallback) => done(null, profile),
    ),
  );
  passport.serializeUser((user, done) => done(null, user));
  passport.deserializeUser((user: Express.User, done) => done(null, user));
  const application = express();
  application.use(session({ secret: sessionSecret, resave: false, saveUninitialized: false }));
  application.use(passport.authenticate("session"));
  application.get("/sign-in", passport.authenticate("openidconnect"));
  application.get("/callback", passport.authenticate("openidconnect", { successRedirect: "/profile" }));
  application.get("/profile", (request, response) => void response.json(request.user ?? null));
  application.get("/sign-out", (request, response, next) => {
    request.logout((error) => (error ? next(error) : response.redirect("/profile")));
  });
  relyingParty.serve(application);

  await page.goto(`${origin}/sign-in`);
  await signIn(page, ada);
  await page.waitForURL(`${origin}/profile`);
  expect(await json(page)).toMatchObject({
    id: ada.id,
    displayName: "Ada Lovelace",
    emails: [{ value: "ada@acme.test" }],
  });
  await page.goto(`${origin}/sign-out`);
  expect(await json(page)).toBeNull();
});
