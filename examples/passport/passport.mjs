import express from "express";
import session from "express-session";
import passport from "passport";
import { Strategy } from "passport-openidconnect";

const redirectUri = "http://localhost:3002/callback";
const issuer = process.env.ISSUER ?? "http://localhost:8080";
const options = {
  issuer,
  authorizationURL: issuer + "/oauth/v2/authorize",
  tokenURL: issuer + "/oauth/v2/token",
  userInfoURL: issuer + "/oidc/v1/userinfo",
  clientID: process.env.CLIENT_ID ?? "demo-client",
  clientSecret: process.env.CLIENT_SECRET,
  callbackURL: redirectUri,
  scope: ["profile", "email"],
};
passport.use(new Strategy(options, (issuer, profile, done) => done(null, profile)));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }));
app.use(passport.authenticate("session"));
app.get("/", ({ user }, response) => response.json(user ? { signedInAs: user } : { signIn: "/sign-in" }));
app.get("/sign-in", passport.authenticate("openidconnect"));
app.get("/callback", passport.authenticate("openidconnect", { successRedirect: "/" }));
app.listen(3002, (error) => {
  if (error) throw error; // for instance: the port is taken
  console.log("Open " + new URL("/", redirectUri));
});
