/**
 * Clients and servers of the Model Context Protocol: the official SDK, unmodified, with the MCP server of
 * examples/mcp, and the conformance suite for authorization servers.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as current from "@modelcontextprotocol/client";
import * as auth from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../scripts/free-port.mjs";
import { setSecuritySettings } from "../../directory/instance-settings";
import { clientApp, withApps } from "../../testing/client-apps";
import { type DocumentHost, documentHost } from "../../testing/document-host";
import { SECRET } from "../../testing/example";
import { type ServiceOnAPort, type Surfer, serviceOnAPort, surfer } from "../../testing/on-a-port";
import { projectFolder } from "../../testing/repository";

const CALLBACK = "http://127.0.0.1/callback"; // no server: the walk ends before it
/** The stable line of the SDK and the one before. Both have the same parts. */
const sdks = [
  ["2", current as unknown as Sdk],
  ["1", { Client, StreamableHTTPClientTransport, UnauthorizedError: auth.UnauthorizedError } as unknown as Sdk],
] as const;
type Sdk = Pick<typeof current, "Client" | "StreamableHTTPClientTransport" | "UnauthorizedError">;

describe("the MCP SDK and its conformance suite", () => {
  let service: ServiceOnAPort;
  let documents: DocumentHost;
  let resource: string;
  let sample: ChildProcess;
  let conformancePort: number;

  beforeAll(async () => {
    const [port, callbackPort] = [await freePort(), await freePort()];
    conformancePort = callbackPort;
    resource = `http://localhost:${port}/mcp`;
    const { oidc, ...known } = clientApp("known", CALLBACK, { redirectUris: [CALLBACK] });
    const { clientSecret: _, ...settings } = oidc;
    const native = {
      ...settings,
      clientId: "native",
      appType: "OIDC_APP_TYPE_NATIVE",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
    };
    const { organizations } = withApps(
      { ...known, oidc },
      { id: "a-native", name: "Native", oidc: native },
      { id: "a-notes", name: "Notes", api: { clientId: "notes", clientSecret: SECRET } },
    );
    const [organization] = organizations;
    const [project] = organization?.projects ?? [];
    const scopes = ["notes:read", "notes:write"].map((name) => ({ name, descriptions: { en: name } }));
    service = await serviceOnAPort({
      organizations: [{ ...organization, projects: [{ ...project, resources: [resource], scopes }] }],
    });
    await setSecuritySettings(
      { ...service.ctx, origin: { actor: "system" } },
      {
        dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
        clientIdMetadataDocuments: { enabled: true, allowedHosts: [], deniedHosts: [] },
      },
    );
    documents = await documentHost(service);
    sample = await startSample({ issuer: service.origin, port });
  });
  afterAll(async () => {
    sample.kill();
    await documents.close();
    await service.close();
  });

  /** Returns a client with its store, and how it signs a user in. */
  const clientOf = (sdk: Sdk, provider: ReturnType<typeof providerOf>) => {
    const open = async () => {
      const transport = new sdk.StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
      const client = new sdk.Client({ name: "agent", version: "1.0.0" });
      return { transport, client, connected: client.connect(transport as never) };
    };
    /** Follows the redirect of the last attempt and hands the answer to the SDK. */
    const authorize = async (user: Surfer, transport: current.StreamableHTTPClientTransport) => {
      const { url } = await user.open(provider.sentTo.pop() ?? "", CALLBACK);
      expect(url.searchParams.get("error")).toBeNull();
      await transport.finishAuth(url.searchParams.get("code") ?? "", url.searchParams.get("iss") ?? undefined);
    };
    const call = async (client: current.Client, name: string, text?: string) => {
      const { content } = await client.callTool({ name, arguments: text === undefined ? {} : { text } });
      return (content as { text: string }[])[0]?.text ?? "";
    };
    return {
      call,
      authorize,
      async signedIn(user: Surfer) {
        const first = await open();
        await expect(first.connected).rejects.toBeInstanceOf(sdk.UnauthorizedError);
        await authorize(user, first.transport);
        const second = await open();
        await second.connected;
        return second;
      },
    };
  };

  const ways: Record<string, () => Provided> = {
    "client ID metadata document": () => ({
      clientMetadataUrl: documents.serve(`/agent-${Math.random()}`),
    }),
    "dynamic registration": () => ({}),
    "pre-registered client": () => ({
      known: { client_id: "known", client_secret: SECRET, issuer: service.origin },
    }),
  };

  describe.each(sdks)("version %s of the SDK", (_, sdk) => {
    it.each(Object.keys(ways))("signs a user in and calls a tool: %s", async (way) => {
      const provider = providerOf(ways[way]?.() ?? {});
      const { call, signedIn } = clientOf(sdk, provider);
      const { client } = await signedIn(surfer(service.origin));
      expect(await call(client, "list-notes")).toMatch(/^\[/);
      expect(provider.tokens()).toMatchObject({ token_type: "Bearer" });
      expect(provider.tokens()?.scope?.split(" ")).toContain("notes:read");
      await client.close();
    });

    it.each(Object.keys(ways))(
      "asks for more scopes when a tool needs them, without a new sign-in: %s",
      async (way) => {
        const provider = providerOf(ways[way]?.() ?? {});
        const { call, authorize, signedIn } = clientOf(sdk, provider);
        const user = surfer(service.origin);
        const { client, transport } = await signedIn(user);
        await expect(call(client, "add-note", "milk")).rejects.toBeInstanceOf(sdk.UnauthorizedError);
        expect(new URL(provider.sentTo[0] ?? "").searchParams.get("scope")?.split(" ")).toEqual(
          expect.arrayContaining(["notes:read", "notes:write"]),
        );
        expect(user.signIns()).toBe(1);
        await authorize(user, transport);
        expect(user.signIns()).toBe(1);
        expect(await call(client, "add-note", "milk")).toBe("added");
        expect(await call(client, "list-notes")).toContain("milk");
        await client.close();
      },
    );
  });

  it.each(Object.keys(ways))("version 2 renews its tokens when they end: %s", async (way) => {
    const provider = providerOf(ways[way]?.() ?? {});
    const { call, signedIn } = clientOf(current, provider);
    const { client } = await signedIn(surfer(service.origin));
    const before = provider.tokens();
    const form = new URLSearchParams({ token: before?.access_token ?? "", client_id: provider.clientId() });
    const secret = provider.clientInformation()?.client_secret;
    if (secret) form.set("client_secret", secret);
    expect((await fetch(`${service.origin}/oauth/v2/revoke`, { method: "POST", body: form })).status).toBe(200);
    expect(await call(client, "list-notes")).toMatch(/^\[/);
    expect(provider.tokens()?.access_token).not.toBe(before?.access_token);
    expect(provider.sentTo).toEqual([]);
    await client.close();
  });

  it("refuses tokens for other resources, and names its metadata", async () => {
    const ask = (token?: string) =>
      fetch(resource, { method: "POST", headers: token ? { authorization: `Bearer ${token}` } : {} });
    const bare = await ask();
    expect(bare.status).toBe(401);
    const challenge = bare.headers.get("www-authenticate") ?? "";
    const metadata = await (await fetch(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "")).json();
    expect(metadata).toMatchObject({ resource, scopes_supported: ["notes:read"] });
    expect(metadata.authorization_servers).toEqual([service.origin]);
    const own = await fetch(`${service.origin}/oauth/v2/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "openid" }),
      headers: { authorization: `Basic ${Buffer.from(`notes:${SECRET}`).toString("base64")}` },
    });
    const { access_token } = await own.json();
    expect((await ask(access_token)).status).toBe(401);
  });

  it("passes every check of the conformance suite for authorization servers", async () => {
    const suite = runConformance([
      ...["--url", service.origin, "--client-id", "native", "--resource", resource],
      ...["--port", `${conformancePort}`],
    ]);
    const url = await suite.printed(/^(http\S+\/oauth\/v2\/authorize\S*)$/m);
    const { status } = await surfer(service.origin).open(url);
    expect(status).toBe(200);
    const { code, output } = await suite.ended;
    expect(output).not.toMatch(/FAILURE|WARNING|✗/);
    expect(code).toBe(0);
  });
});

interface Provided {
  clientMetadataUrl?: string;
  known?: { client_id: string; client_secret: string; issuer: string };
}

/** Returns the store of a client, as the SDK asks for it, which keeps the addresses that the user is sent to. */
function providerOf({ clientMetadataUrl, known }: Provided) {
  let client: { client_id: string; client_secret?: string } | undefined = known;
  let tokens: current.OAuthTokens | undefined;
  let verifier = "";
  let discovered: current.OAuthDiscoveryState | undefined;
  const sentTo: string[] = [];
  return {
    sentTo,
    clientMetadataUrl,
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: "Agent",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    clientId: () => client?.client_id ?? "",
    clientInformation: () => client,
    saveClientInformation: (saved: { client_id: string }) => {
      client = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved: current.OAuthTokens) => {
      tokens = saved;
    },
    redirectToAuthorization: (url: URL) => void sentTo.push(url.href),
    saveCodeVerifier: (saved: string) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved: current.OAuthDiscoveryState) => {
      discovered = saved;
    },
    discoveryState: () => discovered,
  };
}

/** Starts examples/mcp with the values of this service, in a folder that finds the installed libraries. */
async function startSample({ issuer, port }: { issuer: string; port: number }): Promise<ChildProcess> {
  const folder = path.join(projectFolder, "test-results/mcp");
  mkdirSync(folder, { recursive: true });
  const code = readFileSync(path.join(projectFolder, "examples/mcp/server.mjs"), "utf8");
  const file = path.join(folder, `server-${port}.mjs`);
  writeFileSync(file, code.replaceAll("http://localhost:8080", issuer).replaceAll("demo-client", "notes"));
  const sample = program([file], { PORT: `${port}`, CLIENT_SECRET: SECRET });
  await sample.printed(/(MCP server at)/);
  return sample.child;
}

function runConformance(options: readonly string[]) {
  const cli = path.join(projectFolder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  return program([cli, "authorization", ...options], {});
}

/** Runs a program, and waits for what it prints. */
function program(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  let output = "";
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, output }));
  });
  const printed = (words: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [, found] = words.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      };
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (chunk) => {
          output += chunk;
          look();
        });
      }
      void ended.then(() => reject(new Error(`ended without ${words}: ${output}`)));
    });
  return { child, ended, printed };
}
