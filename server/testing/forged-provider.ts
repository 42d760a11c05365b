/** An OpenID Connect provider on this machine whose answers tests choose, also wrong ones. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export interface ForgedProvider {
  issuer: string;
  /** The claims of the next id_token, beside those that the protocol needs. */
  claims: JWTPayload;
  /** Replaces the id_token of the next responses. */
  forge: ((claims: JWTPayload) => Promise<string>) | undefined;
  /** Members of the discovery document that differ. */
  document: Record<string, unknown>;
  /** The answer of its token endpoint, instead of tokens. */
  refusal: { status: number; error: string; location?: string } | undefined;
  /** Responses by the last part of the path, such as `token`; one that does nothing is silent. */
  misbehaves: Record<string, (response: http.ServerResponse) => void>;
  /** Members of the answers of its token endpoint that differ. */
  tokens: Record<string, unknown>;
  /** The forms that its token endpoint got. */
  redeemed: URLSearchParams[];
  /** The forms that its revocation endpoint got. */
  revoked: URLSearchParams[];
  sign(claims: JWTPayload): Promise<string>;
  publicPem: string;
  close(): Promise<void>;
}

export async function forgedProvider(): Promise<ForgedProvider> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256", use: "sig" };
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k1" }).sign(privateKey);
  const server = http.createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const json = (body: object, status = 200) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      const { issuer, misbehaves } = provider;
      const special = misbehaves[request.url?.split("/").at(-1) ?? ""];
      if (special) return special(response);
      if (request.url?.startsWith("/.well-known/")) {
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          revocation_endpoint: `${issuer}/revoke`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
          authorization_response_iss_parameter_supported: true,
          ...provider.document,
        });
      }
      if (request.url === "/jwks") return json({ keys: [jwk] });
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      if (request.url === "/revoke") {
        provider.revoked.push(form);
        return response.end();
      }
      if (request.url !== "/token") return json({}, 404);
      provider.redeemed.push(form);
      if (provider.refusal?.location) response.setHeader("location", provider.refusal.location);
      if (provider.refusal) return json({ error: provider.refusal.error }, provider.refusal.status);
      const now = Math.floor(Date.now() / 1000);
      // The code is the nonce of the request: a test passes it on.
      const claims = {
        ...{ iss: issuer, aud: "us", sub: "sub-1", iat: now, exp: now + 300, nonce: form.get("code") ?? "" },
        ...provider.claims,
      };
      const tokens = { access_token: "at", token_type: "Bearer", ...provider.tokens };
      json({ ...tokens, id_token: await (provider.forge ?? sign)(claims) });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const provider: ForgedProvider = {
    ...{
      issuer: `http://localhost:${(server.address() as AddressInfo).port}`,
      claims: {},
      forge: undefined,
      refusal: undefined,
    },
    ...{ document: {}, misbehaves: {}, tokens: {}, redeemed: [], revoked: [], sign, publicPem: JSON.stringify(jwk) },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
