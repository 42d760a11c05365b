// Applications on Node.js. The end-to-end tests run them unchanged against the service.
import { onLoopback, originOf, pathOfAddress, quoted, type Snippet } from "./snippet";

const HOME = "http://localhost:3000/";

/** Returns the port of the redirect URI. */
const portOf = (redirectUri: string | undefined) => new URL(originOf(redirectUri, HOME)).port || "3000";

export const express: Snippet = {
  id: "express",
  title: "Node.js · Express, openid-client",
  kinds: ["web"],
  addresses: { redirectUri: `${HOME}callback`, postLogoutRedirectUri: HOME },
  ownSecrets: ["SESSION_SECRET"],
  install: "npm install express express-session openid-client",
  run: "node --env-file=.env app.mjs",
  files: ({ issuer, clientId, redirectUri, postLogoutRedirectUri }) => [
    {
      name: "app.mjs",
      code: `import express from "express";
import session from "express-session";
import * as client from "openid-client";

const redirectUri = ${quoted(redirectUri)};
const config = await client.discovery(
  new URL(process.env.ISSUER ?? ${quoted(issuer)}),
  process.env.CLIENT_ID ?? ${quoted(clientId)},
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${onLoopback(issuer)}
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

app.get(${quoted(pathOfAddress(redirectUri, "/callback"))}, async (request, response, next) => {
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
    id_token_hint: request.session.idToken,${postLogoutRedirectUri ? `\n    post_logout_redirect_uri: ${quoted(postLogoutRedirectUri)},` : ""}
  });
  request.session.destroy(() => response.redirect(address.href));
});

app.listen(${portOf(redirectUri)}, (error) => {
  if (error) throw error; // for instance: the port is taken
  console.log("Open " + new URL("/", redirectUri));
});
`,
    },
  ],
};

export const nodeMachine: Snippet = {
  id: "node-machine",
  title: "Node.js · openid-client",
  kinds: ["machine"],
  install: "npm install openid-client",
  run: "node --env-file=.env call.mjs",
  files: ({ issuer, clientId }) => [
    {
      name: "call.mjs",
      code: `import * as client from "openid-client";

const config = await client.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${onLoopback(issuer)}
);
const tokens = await client.clientCredentialsGrant(config, { scope: "openid" });
console.log("Access token for", tokens.expires_in, "seconds:", tokens.access_token);
`,
    },
  ],
};

export const nextAuthjs: Snippet = {
  id: "next",
  title: "Next.js · Auth.js",
  kinds: ["web"],
  addresses: { redirectUri: `${HOME}api/auth/callback/identity`, postLogoutRedirectUri: HOME, hasFixedPath: true },
  ownSecrets: ["AUTH_SECRET"],
  install: "npx create-next-app@latest demo --yes && cd demo && npm install next-auth@beta",
  run: "npm run dev",
  files: ({ issuer, clientId }) => [
    {
      name: "auth.ts",
      code: `import NextAuth from "next-auth";

// The app's redirect URI is https://<your host>/api/auth/callback/identity; AUTH_SECRET is read by itself.
export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: "identity",
      name: "Identity",
      type: "oidc",
      issuer: process.env.ISSUER ?? ${quoted(issuer)},
      clientId: process.env.CLIENT_ID ?? ${quoted(clientId)},
      clientSecret: process.env.CLIENT_SECRET,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope: "openid profile email" } },
    },
  ],
});
`,
    },
    {
      name: "app/api/auth/[...nextauth]/route.ts",
      code: `import { handlers } from "@/auth";

export const { GET, POST } = handlers;
`,
    },
    {
      name: "app/page.tsx",
      code: `import { auth, signIn, signOut } from "@/auth";

async function enter() {
  "use server";
  await signIn("identity");
}

async function leave() {
  "use server";
  await signOut();
}

export default async function Home() {
  const session = await auth();
  return (
    <form action={session ? leave : enter}>
      {session && <p>Signed in as {session.user?.name}</p>}
      <button>{session ? "Sign out" : "Sign in"}</button>
    </form>
  );
}
`,
    },
  ],
};

export const passport: Snippet = {
  id: "passport",
  title: "Node.js · Passport",
  kinds: ["web"],
  addresses: { redirectUri: `${HOME}callback`, postLogoutRedirectUri: HOME },
  ownSecrets: ["SESSION_SECRET"],
  install: "npm install express express-session passport passport-openidconnect",
  run: "node --env-file=.env passport.mjs",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "passport.mjs",
      code: `import express from "express";
import session from "express-session";
import passport from "passport";
import { Strategy } from "passport-openidconnect";

const redirectUri = ${quoted(redirectUri)};
const issuer = process.env.ISSUER ?? ${quoted(issuer)};
const options = {
  issuer,
  authorizationURL: issuer + "/oauth/v2/authorize",
  tokenURL: issuer + "/oauth/v2/token",
  userInfoURL: issuer + "/oidc/v1/userinfo",
  clientID: process.env.CLIENT_ID ?? ${quoted(clientId)},
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
app.get(
  ${quoted(pathOfAddress(redirectUri, "/callback"))},
  passport.authenticate("openidconnect", { successRedirect: "/" }),
);
app.listen(${portOf(redirectUri)}, (error) => {
  if (error) throw error; // for instance: the port is taken
  console.log("Open " + new URL("/", redirectUri));
});
`,
    },
  ],
};
