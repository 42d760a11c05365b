import * as client from "openid-client";

const config = await client.discovery(
  new URL("http://localhost:8080"),
  "demo-client",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
  { execute: [client.allowInsecureRequests] }, // http: on this machine only
);
const tokens = await client.clientCredentialsGrant(config, { scope: "openid" });
console.log("Access token for", tokens.expires_in, "seconds:", tokens.access_token);
