import { readFileSync } from "node:fs";
import express from "express";
import passport from "passport";
import { ZitadelIntrospectionStrategy } from "passport-zitadel";

const profile = JSON.parse(readFileSync("key.json", "utf8"));
const authorization = { type: "jwt-profile", profile };
passport.use(new ZitadelIntrospectionStrategy({ authority: "http://localhost:8080", authorization }));

const app = express();
app.use(passport.authenticate("zitadel-introspection", { session: false }));
app.get("/", ({ user }, response) => response.json({ hello: user.sub, scope: user.scope }));
app.listen(Number(process.env.PORT ?? 4006), "127.0.0.1");
