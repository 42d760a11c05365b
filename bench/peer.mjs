// The first peer: npm oidc-provider set up as its documentation shows, with its in-memory adapter. It is comparable to
// ours: one confidential web client, opaque access tokens, RS256 id_tokens, rotated refresh tokens. The user is signed
// in without a page because pages are not measured.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";
import MemoryAdapter from "oidc-provider/lib/adapters/memory_adapter.js";
import LRU from "oidc-provider/lib/helpers/lru.js";

process.once("message", async ({ client, person }) => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const issuer = `http://localhost:${server.address().port}`;
  // The adapter keeps 1000 entries by default, fewer than the codes prepared here. Nothing else is changed.
  const store = new LRU({ maxSize: 10_000_000 });
  const provider = new Provider(issuer, {
    adapter: (model) => new MemoryAdapter(model, store),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        token_endpoint_auth_method: "client_secret_basic",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "bench", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["a key for one run of the bench"] },
    claims: { openid: ["sub"], profile: ["name", "given_name", "family_name"], email: ["email", "email_verified"] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      // Its only way to issue JWT access tokens: for a resource that requests them.
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: "", accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } }),
      },
    },
    ttl: {
      AuthorizationCode: 600,
      AccessToken: 3600,
      ClientCredentials: 3600,
      IdToken: 3600,
      RefreshToken: 2_592_000,
      Session: 3600,
      Grant: 3600,
      Interaction: 600,
    },
    pkce: { required: () => false },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: "Ada Lovelace",
        given_name: "Ada",
        family_name: "Lovelace",
        email: person.loginName,
        email_verified: true,
      }),
    }),
    // Consent without a page: the browser's grant for this client, as by default, otherwise a new one.
    loadExistingGrant: async ({ oidc }) => {
      const known = oidc.session.grantIdFor(oidc.client.clientId);
      if (known) return oidc.provider.Grant.find(known);
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(client.scope);
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url.startsWith("/interaction/")) answer(request, response);
    else provider.interactionFinished(request, response, { login: { accountId: "ada" } });
  });
  process.on("SIGTERM", () => process.exit(0));
  process.send({ issuer });
});
