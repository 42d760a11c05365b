import * as client from "openid-client";

const config = await client.discovery(
  new URL("http://localhost:8080"),
  "demo-client",
  undefined,
  client.None(),
  { execute: [client.allowInsecureRequests] }, // http: on this machine only
);
const request = await client.initiateDeviceAuthorization(config, { scope: "openid profile email offline_access" });
console.log("Open", request.verification_uri_complete);
console.log("The page shows the code", request.user_code);
const tokens = await client.pollDeviceAuthorizationGrant(config, request);
console.log("Signed in as", tokens.claims().sub);
