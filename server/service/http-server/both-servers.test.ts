import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import startNext from "next";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleAdmission, consoleGate } from "../../console/gate";
import { root } from "../../root";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { authorizePath, basic } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { publishService } from "../service";
import { nextAdapter, watchArrivals } from "./next-adapter";
import { type NextHandler, requestListener } from "./request-listener";

/** Headers that the two servers add for the connection, which are not part of the response. */
const OF_THE_CONNECTION = ["connection", "date", "keep-alive", "transfer-encoding", "content-length"];

interface Answer {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}

describe("two servers, one application", () => {
  let service: TestService;
  let servers: http.Server[];
  let next: NextHandler;

  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const { ctx, application } = service;
    const gate = consoleGate(ctx, { development: false });
    const arrivals = watchArrivals({ strict: undefined, basePath: "" });
    const admission = consoleAdmission(ctx, { development: false });
    publishService({ ...nextAdapter({ application, arrivals, admission }), viewer: async () => undefined });
    const app = startNext({ dev: false, dir: root });
    await app.prepare();
    next = app.getRequestHandler() as NextHandler;
    servers = [
      http.createServer(requestListener({ ...service, gate, next, files: () => false })),
      http.createServer((request, response) => {
        arrivals.arrive(request, response);
        void next(request, response);
      }),
    ];
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))));
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await service.close();
  });

  const form = { "content-type": "application/x-www-form-urlencoded" };
  const json = { accept: "application/json" };
  const html = { accept: "text/html" };
  const tokenForm = new URLSearchParams({
    grant_type: "authorization_code",
    code: "x",
    redirect_uri: "https://rp.test/cb",
  });

  it.each<[string, string, string, Record<string, string>, string?]>([
    ["discovery", "GET", "/.well-known/openid-configuration", {}],
    ["discovery of a browser app", "GET", "/.well-known/openid-configuration", { origin: "https://spa.test" }],
    ["the key set", "GET", "/oauth/v2/keys", {}],
    ["HEAD of the key set", "HEAD", "/oauth/v2/keys", {}],
    ["an authorization request that ends at the app", "GET", authorizePath({ prompt: "none" }), {}],
    ["an authorization request that is shown", "GET", authorizePath({ redirect_uri: "https://evil.test" }), html],
    [
      "an authorization request as a form",
      "POST",
      "/oauth/v2/authorize",
      form,
      authorizePath({ scope: "x" }).split("?")[1],
    ],
    ["a token request without client", "POST", "/oauth/v2/token", form, `${tokenForm}`],
    ["a wrong secret", "POST", "/oauth/v2/token", { ...form, authorization: basic("web", "x") }, `${tokenForm}`],
    ["an unknown code", "POST", "/oauth/v2/token", { ...form, authorization: basic("web", SECRET) }, `${tokenForm}`],
    ["a token request as JSON", "POST", "/oauth/v2/token", { "content-type": "application/json" }, "{}"],
    ["a body too large", "POST", "/oauth/v2/token", form, "a".repeat(70_000)],
    ["the token endpoint by GET", "GET", "/oauth/v2/token", json],
    ["the token endpoint by DELETE", "DELETE", "/oauth/v2/token", json],
    ["userinfo without a token", "GET", "/oidc/v1/userinfo", {}],
    ["userinfo with a bad token", "POST", "/oidc/v1/userinfo", { ...form, authorization: "Bearer x" }, ""],
    ["end session", "GET", "/oidc/v1/end_session?state=x", {}],
    ["a sign-in page with a flow of nobody", "GET", "/login?flow=x", html],
    ["a sign-in from another site", "POST", "/login/submit", { ...form, origin: "https://evil.test" }, "flow=x"],
    ["the signed-out page in German", "GET", "/logout/done", { ...html, "accept-language": "de" }],
    ["the error page with a query", "GET", "/error?error=%3Cscript%3E", html],
    ["a setup link of nobody", "GET", "/setup?token=x", html],
    ["the front door", "GET", "/", json],
    ["an unknown address, for a program", "GET", "/nothing/here", json],
    ["an unknown address, for a person", "GET", "/nothing/here", html],
    ["a message text without a token", "GET", "/admin/v1/text/message/init/en", json],
    [
      "a message text of a bad token",
      "PUT",
      "/management/v1/text/message/init/en",
      { authorization: "Bearer x" },
      "{}",
    ],
    [
      "a reset in protocol buffers",
      "DELETE",
      "/admin/v1/text/message/init/en",
      { accept: "application/grpc-web+proto" },
    ],
    ["an unknown address of the API", "GET", "/management/v1/nothing", html],
    ["an unknown method of the API", "PATCH", "/admin/v1/text/message/init/en", html],
    [
      "a remote procedure",
      "POST",
      "/service.admin.v1.AdminService/GetCustomInitMessageText",
      { "content-type": "application/json" },
      "{}",
    ],
    ["the OpenAPI document", "GET", "/openapi.json", {}],
    ["the list of proto files", "GET", "/proto", {}],
    ["a proto file", "GET", "/proto/service/v1/error.proto", {}],
    ["health", "GET", "/healthz", {}],
    ["readiness", "GET", "/readyz", {}],
    ["an icon", "GET", "/favicon.svg", {}],
    ["the API's description", "GET", "/docs/api", html],
    ["a query that is not in the usual letters", "GET", "/login?x=%E4+%ff&y=a%2Fb", html],
    ["HEAD of an unknown address", "HEAD", "/nothing/here", html],
    ["OPTIONS of the token endpoint", "OPTIONS", "/oauth/v2/token", { origin: "https://spa.test" }],
    [
      "a preflight for the API",
      "OPTIONS",
      "/management/v1/users/_search",
      { origin: "https://spa.test", "access-control-request-method": "POST" },
    ],
    ["OPTIONS of a page", "OPTIONS", "/login", html],
    ["a page by PUT", "PUT", "/login", { ...html, ...form }, "a=b"],
    ["a page by a method of WebDAV", "PROPFIND", "/login", html],
    ["TRACE", "TRACE", "/oauth/v2/token", {}],
    ["a page's body too large, for a person", "POST", "/login/submit", { ...html, ...form }, "a".repeat(70_000)],
    ["another host, for a person", "GET", "/login", { ...html, host: "evil.test" }],
    ["another host, for a program", "GET", "/login", { ...json, host: "evil.test" }],
    ["a Host that is none", "GET", "/.well-known/openid-configuration", { host: 'a"<script>' }],
    ["two slashes", "GET", "//evil.test/login", html],
    ["a dot segment", "GET", "/login/../console", html],
    ["a backslash", "GET", "/\\evil.test", html],
    ["a path that does not decode", "GET", "/console/%zz", html],
    ["the absolute form", "GET", "http://localhost:8080/healthz", {}],
    ["a part of Next that is off", "GET", "/_next/image?url=%2Ffavicon.svg&w=64&q=75", html],
    ["a script that is not there", "GET", "/_next/static/none.js", json],
    ["a page of the console without a session", "GET", "/console/organizations/acme?view=x&_rsc=1", html],
    ["a page of the console on another host", "GET", "/console", { ...html, host: "evil.test" }],
    ["a page of the console by POST", "POST", "/console/users", { ...html, ...form, "next-action": "x" }, "a=b"],
    ["the console's API without a session", "GET", "/console/api/management/v1/orgs/me", json],
    ["what is below the console's own addresses", "GET", "/console/callback/x", html],
    ["the console's API itself", "GET", "/console/api", json],
    ["the console in letters that are encoded", "GET", "/%63onsole/mail", html],
    ["a slash that is encoded", "GET", "/console%2Fmail", html],
    ["Next's own name for a page's data", "GET", "/console.rsc", { ...html, rsc: "1" }],
    ["an address that is asked for as a part of a page", "GET", "/healthz", { rsc: "1", "next-action": "x" }],
    ["data of a page", "GET", "/_next/data/x/console.json", { "x-nextjs-data": "1" }],
    ["the console's sign-in", "GET", "/console/callback?state=x", html],
    [
      "headers that only the gate and Next may set",
      "GET",
      "/console/mail",
      { ...html, "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy", "x-console-path": "/console" },
    ],
  ])("answers %s alike", async (_, method, path, headers, body) => {
    const [direct, byNext] = await Promise.all(servers.map((server) => send(server, method, path, headers, body)));
    expect(byNext).toEqual(direct);
    expect(direct?.status).toBeLessThan(500);
  });

  describe("requests without a valid address (RFC 9112 §3.2)", () => {
    let server: http.Server;

    beforeAll(async () => {
      server = http.createServer(requestListener({ ...service, next }));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    afterAll(() => server.close());

    it.each([
      ["health by HTTP/1.0 without a Host, as load balancers ask", "GET /healthz HTTP/1.0\r\n", 200],
      ["a Host of markup", 'GET /healthz HTTP/1.1\r\nHost: a"<script>\r\n', 200],
      ["a Host that would become another name", "GET /healthz HTTP/1.1\r\nHost: 0x7f.1\r\n", 200],
      ["an empty Host", "GET /healthz HTTP/1.1\r\nHost:\r\n", 200],
      ["an IPv6 address", "GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\n", 200],
      ["an asterisk", "OPTIONS * HTTP/1.1\r\nHost: x\r\n", 400],
      ["a backslash", "GET /\\evil.test HTTP/1.1\r\nHost: x\r\n", 400],
      ["a console path that does not decode", "GET /console/%zz HTTP/1.1\r\nHost: x\r\n", 404],
      ["a path of Next's that does not decode", "GET /_next/static/%ff HTTP/1.1\r\nHost: x\r\n", 404],
      ["a method that Next does not know", "TRACE /console HTTP/1.1\r\nHost: x\r\n", 405],
    ])("answers %s in words", async (_, head, status) => {
      const { port } = server.address() as AddressInfo;
      const answer = await sendRaw(port, `${head}Connection: close\r\n\r\n`);
      expect(answer.split("\r\n", 1)[0]).toContain(` ${status} `);
      expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toBeTypeOf("object");
    });

    it("shows the invalid Host as text", async () => {
      const { port } = server.address() as AddressInfo;
      const head = 'GET /login HTTP/1.1\r\nHost: a"<script>\r\nAccept: text/html\r\nConnection: close\r\n\r\n';
      const answer = await sendRaw(port, head);
      expect(answer).toContain(" 421 ");
      expect(answer).toContain("a&quot;&lt;script&gt;");
    });
  });

  it.each([
    ["in other case", new URL(BASE_URL).host.toUpperCase(), 303],
    ["of somebody else", "evil.test", 421],
  ])("tells browsers over HTTP/2 of a foreign host, and of no other: %s", async (_, authority, status) => {
    const listener = requestListener({ ...service, next }) as unknown as Parameters<typeof http2.createServer>[1];
    const server = http2.createServer({}, listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = session.request({ ":path": "/login", ":authority": authority, accept: "text/html" });
    const [headers] = await once(stream, "response");
    expect(headers[":status"]).toBe(status);
    session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it("serves both over HTTP/2, whose headers Next does not know (RFC 9113 §8.2.2, §8.3)", async () => {
    const listener = requestListener({ ...service, next }) as unknown as Parameters<typeof http2.createServer>[1];
    const server = http2.createServer({}, listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const statusOf = (path: string) =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ":path": path });
        stream.on("response", (headers) => resolve(headers[":status"])).on("error", reject);
        stream.resume().end();
      });
    expect(await statusOf("/oauth/v2/keys")).toBe(200);
    expect(await statusOf("/_next/static/none.js")).toBe(404);
    session.close();
    await new Promise((resolve) => server.close(resolve));
  });
});

function send(
  server: http.Server,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, headers: { ...SAME, ...headers } };
    const request = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const kept = Object.entries({ ...response.headers, vary: ownVary(response.headers.vary) }).filter(
          ([name, value]) => value !== undefined && !OF_THE_CONNECTION.includes(name),
        );
        const text = Buffer.concat(chunks)
          .toString()
          .replace(/<time[^>]*>[^<]*<\/time>/g, "")
          // The sealed value of the language choice differs in each response.
          .replace(/(name="again" value=")[^"]+/g, "$1");
        // Next also writes the address of a redirect into the body, which browsers do not show.
        const body = text === response.headers.location ? "" : text;
        resolve({ status: response.statusCode, headers: Object.fromEntries(kept), body });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Returns everything received on a separate connection until it is closed. */
async function sendRaw(port: number, request: string): Promise<string> {
  const socket = net.connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write(request);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  return answer;
}

/** Both servers get the same request id and host, which would otherwise be the only differences. */
const SAME = { "x-request-id": "the-same-request", host: new URL(BASE_URL).host };

/** Removes the headers of page transitions, which Next adds to every Vary header. */
function ownVary(vary: string | undefined): string | undefined {
  const ours = (vary ?? "").split(", ").filter((name) => name !== "" && name !== "rsc" && !name.startsWith("next-"));
  return ours.length === 0 ? undefined : ours.join(", ");
}
