// The commands of the page about authentication. A test runs them unchanged.

/** Returns the command for the secret of a machine, or of an app with the grant client_credentials. */
export const bySecret = (authUrl: string, scope: string): string => `CLIENT_ID=…
CLIENT_SECRET=…
TOKEN=$(curl -s -u "$CLIENT_ID:$CLIENT_SECRET" ${authUrl}/oauth/v2/token \\
  -d grant_type=client_credentials \\
  -d scope="openid ${scope}" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;

/** Returns token.mjs, for the key file that the console and the API issue for a machine. */
export const byKeyFile = (authUrl: string, scope: string): string => `import { sign } from "node:crypto";
import { readFileSync } from "node:fs";

const { userId, keyId, key } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const now = Math.floor(Date.now() / 1000);
const encoded = (part) => Buffer.from(JSON.stringify(part)).toString("base64url");
const signed = [
  encoded({ alg: "RS256", kid: keyId }),
  encoded({ iss: userId, sub: userId, aud: "${authUrl}", iat: now, exp: now + 300 }),
].join(".");
const answer = await fetch("${authUrl}/oauth/v2/token", {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: \`\${signed}.\${sign("sha256", Buffer.from(signed), key).toString("base64url")}\`,
    scope: "openid ${scope}",
  }),
});
console.log((await answer.json()).access_token);`;

export const withKeyFile = "TOKEN=$(node token.mjs key.json)";

export const firstCall = (baseUrl: string): string =>
  `curl -s -H "authorization: Bearer $TOKEN" ${baseUrl}/auth/v1/users/me`;
