// An OpenID Connect provider in a process of its own, at which one user is always signed in: what remains of a sign-in
// there is the part of our service.
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

const { privateKey, publicKey } = await generateKeyPair("ES256");
const key = { ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256", use: "sig" };

process.once("message", ({ clientId, user }) => {
  const server = createServer(async (request, response) => {
    const issuer = `http://localhost:${server.address().port}`;
    const { pathname, searchParams } = new URL(request.url, issuer);
    let body = "";
    for await (const chunk of request) body += chunk;
    const json = (value) => {
      const text = JSON.stringify(value);
      response.writeHead(200, { "content-type": "application/json", "content-length": text.length }).end(text);
    };
    const answers = {
      "/.well-known/openid-configuration": () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ["ES256"],
      }),
      "/jwks": () => ({ keys: [key] }),
      "/userinfo": () => user,
      "/token": async () => {
        const now = Math.floor(Date.now() / 1000);
        // The code is the nonce of the request.
        const claims = {
          iss: issuer,
          aud: clientId,
          iat: now,
          exp: now + 300,
          nonce: new URLSearchParams(body).get("code"),
        };
        const jwt = new SignJWT({ ...claims, ...user }).setProtectedHeader({ alg: "ES256", kid: key.kid });
        return { access_token: "at", token_type: "Bearer", id_token: await jwt.sign(privateKey) };
      },
    };
    if (pathname !== "/authorize") return json(await answers[pathname]());
    const back = new URL(searchParams.get("redirect_uri"));
    back.search = new URLSearchParams({ code: searchParams.get("nonce"), state: searchParams.get("state") });
    response.writeHead(303, { location: back.href }).end();
  });
  server.listen(0, "127.0.0.1", () => process.send({ issuer: `http://localhost:${server.address().port}` }));
});
