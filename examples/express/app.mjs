import express from "express";
import session from "express-session";
import * as client from "openid-client";

const redirectUri = "http://localhost:3001/callback";
const config = await client.discovery(
  new URL(process.env.ISSUER ?? "http://localhost:8080"),
  process.env.CLIENT_ID ?? "demo-client",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
  { execute: [client.allowInsecureRequests] }, // http: on this machine only
);

const app = express();
const secret = process.env.SESSION_SECRET ?? client.randomState();
app.use(session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: "lax" } }));

app.get("/", (request, response) => {
  const { person } = request.session;
  response.json(person ? { signedInAs: person } : { signIn: "/sign-in" });
});

app.get("/sign-in", async (request, response) => {
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  request.session.pending = { codeVerifier, state };
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state,
  });
  response.redirect(address.href);
});

app.get("/callback", async (request, response, next) => {
  const { codeVerifier, state } = request.session.pending ?? {};
  const came = new URL(request.originalUrl, redirectUri);
  const tokens = await client.authorizationCodeGrant(config, came, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
  });
  const { sub } = tokens.claims();
  const person = await client.fetchUserInfo(config, tokens.access_token, sub);
  request.session.regenerate((error) => {
    if (error) return next(error);
    Object.assign(request.session, { person, idToken: tokens.id_token });
    response.redirect("/");
  });
});

app.get("/sign-out", (request, response) => {
  const address = client.buildEndSessionUrl(config, {
    id_token_hint: request.session.idToken,
    post_logout_redirect_uri: "http://localhost:3001/",
  });
  request.session.destroy(() => response.redirect(address.href));
});

app.listen(3001, (error) => {
  if (error) throw error; // for instance: the port is taken
  console.log("Open " + new URL("/", redirectUri));
});
