/** passport-openidconnect in Express, as its README shows it: the secret is sent in the form, for any app. */
import express from "express";
import session from "express-session";
import passport from "passport";
import { type Profile, Strategy, type VerifyCallback } from "passport-openidconnect";
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

describe("passport-openidconnect with its defaults", () => {
  let service: ServiceOnAPort;
  let application: ApplicationOnAPort;
  beforeAll(async () => {
    application = await applicationOnAPort();
    service = await serviceOnAPort(
      withApps(
        clientApp("web", application.origin),
        clientApp("telling", application.origin, { idTokenUserinfoAssertion: true }),
      ),
    );
  });
  afterAll(async () => {
    await application.close();
    await service.close();
  });

  function applicationOf(clientID: string) {
    const authenticator = new passport.Passport();
    const strategy = new Strategy(
      {
        issuer: service.origin,
        authorizationURL: `${service.origin}/oauth/v2/authorize`,
        tokenURL: `${service.origin}/oauth/v2/token`,
        userInfoURL: `${service.origin}/oidc/v1/userinfo`,
        clientID,
        clientSecret: SECRET,
        callbackURL: `${application.origin}/callback`,
        scope: ["profile", "email"],
      },
      (_issuer: string, profile: Profile, done: VerifyCallback) => done(null, profile),
    );
    authenticator.use(strategy);
    authenticator.serializeUser((user, done) => done(null, user));
    authenticator.deserializeUser((user: Express.User, done) => done(null, user));
    const app = express();
    app.use(session({ secret: "a secret of its own", resave: false, saveUninitialized: false }));
    app.use(authenticator.authenticate("session"));
    app.get("/sign-in", authenticator.authenticate("openidconnect"));
    app.get("/callback", authenticator.authenticate("openidconnect", { successRedirect: "/profile" }));
    app.get("/profile", (request, response) => void response.json(request.user));
    return app;
  }

  it("signs in at an app of the method BASIC, and reads the name if the id_token contains it", async () => {
    const profileAt = async (clientId: string) => {
      application.serve(applicationOf(clientId));
      return JSON.parse((await surfer(service.origin).open(`${application.origin}/sign-in`)).body);
    };
    expect(await profileAt("web")).toMatchObject({ id: "u-ada" });
    expect(await profileAt("telling")).toMatchObject({ id: "u-ada", displayName: "Ada Lovelace" });
  });
});
