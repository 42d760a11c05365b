import { createMcpExpressApp, mcpAuthMetadataRouter, requireBearerAuth } from "@modelcontextprotocol/express";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  requireScopes,
} from "@modelcontextprotocol/server";
import * as client from "openid-client";
import { z } from "zod";

const config = await client.discovery(
  new URL("http://localhost:8080"),
  "demo-client",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
  { execute: [client.allowInsecureRequests] }, // http: on this machine only
);
const port = Number(process.env.PORT ?? 4020);
const resource = new URL(`http://localhost:${port}/mcp`); // one of the resources of the project

const verifier = {
  // Introspection covers opaque tokens and JWTs, and ended sign-ins. Use jose for JWTs if revocation can wait.
  async verifyAccessToken(token) {
    const { active, client_id, sub, scope, exp, aud, act } = await client.tokenIntrospection(config, token);
    const target = [aud ?? []].flat().find((one) => one === resource.href);
    if (!active || !target) throw new OAuthError(OAuthErrorCode.InvalidToken, "the token is not valid here");
    return {
      token,
      clientId: client_id,
      scopes: scope.split(" "),
      expiresAt: exp,
      resource: new URL(target),
      extra: { user: sub, actor: act?.sub }, // actor: who acts for the user, if anyone
    };
  },
};

const notes = new Map(); // by user
const reply = (text) => ({ content: [{ type: "text", text }] });

function createServer() {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool("list-notes", { description: "Lists your notes" }, ({ http }) =>
    reply(JSON.stringify(notes.get(http.authInfo.extra.user) ?? [])),
  );
  server.registerTool(
    "add-note",
    {
      description: "Adds a note",
      inputSchema: z.object({ text: z.string() }),
      scopeChallenge: requireScopes("notes:read", "notes:write"), // 403 insufficient_scope: the client asks for more
    },
    ({ text }, { http }) => {
      const { user, actor = user } = http.authInfo.extra;
      notes.set(user, [...(notes.get(user) ?? []), { text, by: actor }]);
      return reply("added");
    },
  );
  return server;
}

const app = createMcpExpressApp();
app.use(
  mcpAuthMetadataRouter({
    oauthMetadata: config.serverMetadata(),
    resourceServerUrl: resource,
    resourceName: "Notes",
    scopesSupported: ["notes:read"], // what clients ask for at first
  }),
);
const requireToken = requireBearerAuth({
  verifier,
  requiredScopes: ["notes:read"],
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
  expectedResource: resource,
});
const answer = toNodeHandler(createMcpHandler(createServer));
app.all("/mcp", requireToken, (request, response) => answer(request, response, request.body));
app.listen(port, "127.0.0.1", () => console.log(`MCP server at ${resource}`));
