import express from "express";
import * as client from "openid-client";

const config = await client.discovery(
  new URL("http://localhost:8080"),
  "demo-client",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
  { execute: [client.allowInsecureRequests] }, // http: on this machine only
);

async function requireToken(request, response, next) {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const answer = token ? await client.tokenIntrospection(config, token) : { active: false };
  if (!answer.active) return response.status(401).set("www-authenticate", "Bearer").end();
  request.token = answer;
  next();
}

const app = express();
app.get("/", requireToken, ({ token }, response) => {
  response.json({ hello: token.sub, scope: token.scope });
});
app.listen(Number(process.env.PORT ?? 4001), "127.0.0.1");
