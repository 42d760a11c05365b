import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

const keys = createRemoteJWKSet(new URL("http://localhost:8080/oauth/v2/keys"));
const rules = { issuer: "http://localhost:8080", audience: "demo-project", typ: "at+jwt" };

async function requireToken(request, response, next) {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  try {
    request.token = (await jwtVerify(token, keys, rules)).payload;
  } catch {
    return response.status(401).set("www-authenticate", "Bearer").end();
  }
  next();
}

const app = express();
app.get("/", requireToken, ({ token }, response) => {
  response.json({ hello: token.sub, scope: token.scope });
});
app.listen(Number(process.env.PORT ?? 4007), "127.0.0.1");
