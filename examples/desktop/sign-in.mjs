import { once } from "node:events";
import { createServer } from "node:http";
import * as client from "openid-client";

const config = await client.discovery(
  new URL("http://localhost:8080"),
  "demo-client",
  undefined,
  client.None(),
  { execute: [client.allowInsecureRequests] }, // http: on this machine only
);

// Any free port will do: loopback addresses match whatever their port (RFC 8252 §7.3).
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const redirectUri = new URL("http://127.0.0.1/callback");
redirectUri.port = server.address().port;

const codeVerifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const address = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri.href,
  scope: "openid profile email offline_access",
  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: "S256",
  state,
});
console.log("Open in your browser:", address.href);

const [request, response] = await once(server, "request");
response.end("You are signed in. You can close this window.");
server.close();
const tokens = await client.authorizationCodeGrant(config, new URL(request.url, redirectUri), {
  pkceCodeVerifier: codeVerifier,
  expectedState: state,
});
console.log("Signed in as", tokens.claims().sub);
