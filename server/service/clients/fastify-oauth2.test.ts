/** @fastify/oauth2 in Fastify, configured with only the issuer: discovery, PKCE as discovered, refresh, revocation. */
import oauth2, { type OAuth2Namespace } from "@fastify/oauth2";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientApp, withApps } from "../../testing/client-apps";
import { SECRET } from "../../testing/example";
import {
  type ApplicationOnAPort,
  applicationOnAPort,
  type ServiceOnAPort,
  serviceOnAPort,
  surfer,
} from "../../testing/on-a-port";

declare module "fastify" {
  interface FastifyInstance {
    identity: OAuth2Namespace;
  }
}

describe("@fastify/oauth2 with its defaults", () => {
  let service: ServiceOnAPort;
  let application: ApplicationOnAPort;
  let fastify: FastifyInstance;
  beforeAll(async () => {
    application = await applicationOnAPort();
    service = await serviceOnAPort(withApps(clientApp("web", application.origin)));
  });
  afterAll(async () => {
    await fastify.close();
    await application.close();
    await service.close();
  });

  it("signs in, refreshes, requests userinfo and revokes", async () => {
    fastify = Fastify();
    await fastify.register(oauth2, {
      name: "identity",
      scope: ["openid", "profile", "offline_access"],
      credentials: { client: { id: "web", secret: SECRET } },
      startRedirectPath: "/sign-in",
      callbackUri: `${application.origin}/callback`,
      discovery: { issuer: service.origin },
      cookie: { secure: false, path: "/" }, // http on this machine
    });
    fastify.get("/callback", async (request) => {
      const { token } = await fastify.identity.getAccessTokenFromAuthorizationCodeFlow(request);
      const renewed = await fastify.identity.getNewAccessTokenUsingRefreshToken(token, {});
      const before = await fastify.identity.userinfo(renewed.token.access_token);
      await fastify.identity.revokeAllToken(renewed.token, undefined);
      const after = await fastify.identity.userinfo(renewed.token.access_token);
      return { before, after };
    });
    await fastify.ready();
    application.serve((request, response) => fastify.routing(request, response));
    const { body } = await surfer(service.origin).open(`${application.origin}/sign-in`);
    expect(JSON.parse(body)).toMatchObject({ before: { name: "Ada Lovelace" }, after: { error: "invalid_token" } });
  });
});
