/** Mail servers that accept access tokens instead of a password (XOAUTH2), and signed mails (DKIM). */
import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { record } from "../events/record";
import { messageTo } from "../message-types/message";
import { passwordChange } from "../message-types/password-change";
import { apiToken, callApi } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { startMailServer, type TestMailServer } from "../testing/mail-server";
import { type TestService, testService } from "../testing/test-context";
import { deliverNext } from "./deliver";
import { type MailRoutes, openMailRoutes } from "./routes";

const pemOf = (modulusLength: number) =>
  generateKeyPairSync("rsa", {
    modulusLength,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
const keys = pemOf(2_048);
const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
const dkim = { domain: "acme.test", selector: "s1", privateKey: keys.privateKey };

/** The authorization server of the mail server: issues tokens, or responds as a test configures it. */
interface TokenEndpoint {
  url: string;
  requests: { authorization: string; body: string }[];
  answer: { status: number; text: string };
  server: Server;
}

async function startTokenEndpoint(): Promise<TokenEndpoint> {
  const state: TokenEndpoint = { url: "", requests: [], answer: { status: 200, text: "" }, server: createServer() };
  state.server.on("request", async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    state.requests.push({ authorization: request.headers.authorization ?? "", body });
    response.writeHead(state.answer.status, { "content-type": "application/json" }).end(state.answer.text);
  });
  await new Promise<void>((resolve) => state.server.listen(0, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${(state.server.address() as AddressInfo).port}/token`;
  return state;
}

const granted = (token: string, seconds = 3_600) => ({
  status: 200,
  text: JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: seconds }),
});

describe.each(ruleDatabases)("the keys of a mail server, on %s", (kind) => {
  let service: TestService;
  let token: string;
  let mailServer: TestMailServer;
  let endpoint: TokenEndpoint;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    mailServer = await startMailServer({ user: "mailer@acme.test", accessToken: "right" });
    endpoint = await startTokenEndpoint();
  });
  afterEach(async () => {
    await service.ctx.db.prisma.emailProvider.deleteMany();
    await service.ctx.db.prisma.throttle.deleteMany();
    mailServer.mails.length = 0;
    endpoint.requests.length = 0;
  });
  afterAll(async () => {
    await mailServer.stop();
    endpoint.server.close();
    await service.close();
  });

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const xoauth2 = (more: object = {}) => ({
    tokenEndpoint: endpoint.url,
    scopes: ["https://outlook.test/.default"],
    clientCredentials: { clientId: "the client", clientSecret: "s&cret" },
    ...more,
  });
  /** A service on loopback may use any port of its own machine. */
  const server = (more: object = {}) => ({
    senderAddress: "mail@acme.test",
    host: `127.0.0.1:${new URL(mailServer.url).port}`,
    user: "mailer@acme.test",
    ...more,
  });
  const add = async (body: object): Promise<string> => {
    const { status, body: answer } = await call("POST", "/admin/v1/email/smtp", body);
    expect([status, answer.id]).toEqual([200, expect.any(String)]);
    return answer.id;
  };
  const fieldOf = ({ body }: { body: { details?: { field?: string }[] } }) => body.details?.[0]?.field;
  const shown = async (id: string) => (await call("GET", `/admin/v1/email/${id}`)).body.config.smtp;

  it("get one access token by client credentials, and another once the server refuses it", async () => {
    const id = await add(server({ xoauth2: xoauth2() }));
    endpoint.answer = granted("right");
    await call("POST", `/admin/v1/email/${id}/_activate`);
    const routes = openMailRoutes(service.ctx);
    const send = () => sendOne(service, routes);
    expect([await send(), await send(), mailServer.mails.length]).toEqual(["sent", "sent", 2]);
    const basic = Buffer.from("the+client:s%26cret").toString("base64");
    const body = "grant_type=client_credentials&scope=https%3A%2F%2Foutlook.test%2F.default";
    expect(endpoint.requests).toEqual([{ authorization: `Basic ${basic}`, body }]);
    routes.close();
    const later = openMailRoutes(service.ctx);
    endpoint.answer = granted("revoked");
    expect(await sendOne(service, later)).toBe("unreachable");
    endpoint.answer = granted("right");
    service.advance(60_000);
    expect(await sendOne(service, later)).toBe("sent");
    later.close();
  });

  it("report why there is no token, without the secret", async () => {
    const id = await add(server({ xoauth2: xoauth2() }));
    for (const [answer, why] of [
      [
        { status: 401, text: '{"error":"invalid_client","error_description":"expired\\r\\nX: y"}' },
        "401 invalid_client expired X: y",
      ],
      [{ status: 302, text: "" }, "302"],
      [{ status: 200, text: "<html>" }, "200"],
      [{ status: 200, text: '{"access_token":""}' }, "200"],
    ] as const) {
      endpoint.answer = answer;
      const { status, body } = await call("POST", `/admin/v1/email/${id}/_test`);
      expect([status, body.message]).toEqual([400, `The mail was not sent: the token endpoint: ${why} (EAUTH)`]);
    }
    expect(mailServer.mails).toEqual([]);
  });

  it("are shown without secrets, which are bound to their endpoint and client", async () => {
    const id = await add(server({ xoauth2: xoauth2(), dkim }));
    const { xoauth2: client, dkim: signing } = await shown(id);
    expect(client).toEqual({ ...xoauth2(), clientCredentials: { clientId: "the client" } });
    expect(signing).toEqual({
      domain: "acme.test",
      selector: "s1",
      recordName: "s1._domainkey.acme.test",
      recordValue: `v=DKIM1; k=rsa; p=${keys.publicKey.replace(/-----.*?-----|\s/g, "")}`,
    });
    const put = (body: object) => call("PUT", `/admin/v1/email/smtp/${id}`, server(body));
    const without = { clientCredentials: { clientId: "the client" } };
    expect((await put({ xoauth2: xoauth2(without), dkim: { domain: "acme.test", selector: "s2" } })).status).toBe(200);
    endpoint.answer = granted("right");
    expect((await call("POST", `/admin/v1/email/${id}/_test`)).status).toBe(200);
    const elsewhere = await put({ xoauth2: xoauth2({ ...without, tokenEndpoint: "https://evil.test/token" }) });
    expect([elsewhere.status, fieldOf(elsewhere)]).toEqual([400, "xoauth2.clientCredentials.clientSecret"]);
    for (const host of ["mail.evil.test:587", "127.0.0.1:25"]) {
      const toEvil = server({ host, xoauth2: xoauth2(without) });
      for (const [method, path] of [
        ["PUT", `/${id}`],
        ["POST", "/_test"],
      ] as const) {
        const refused = await call(method, `/admin/v1/email/smtp${path}`, {
          ...toEvil,
          ...(method === "POST" && { id }),
        });
        expect([refused.status, fieldOf(refused)]).toEqual([400, "xoauth2.clientCredentials.clientSecret"]);
      }
    }
    expect((await put({})).status).toBe(200);
    expect(await shown(id)).not.toHaveProperty("xoauth2");
    expect(await shown(id)).not.toHaveProperty("dkim");
    const events = await service.ctx.db.prisma.event.findMany({ where: { aggregateType: "instance" } });
    expect(JSON.stringify(events)).not.toMatch(/s&cret|PRIVATE KEY/);
  });

  it("sign mails so that receivers can verify them (RFC 6376)", async () => {
    const id = await add(server({ xoauth2: xoauth2(), dkim }));
    endpoint.answer = granted("right");
    await call("POST", `/admin/v1/email/${id}/_test`);
    const [mail] = mailServer.mails;
    expect(isSigned(mail?.raw ?? "", keys.publicKey)).toBe(true);
    expect(isSigned((mail?.raw ?? "").replace("From: mail@acme", "From: mail@evil"), keys.publicKey)).toBe(false);
  });

  it("are refused with the name of the invalid field", async () => {
    const refused: [object, string][] = [
      [{ xoauth2: xoauth2(), user: "" }, "user"],
      [{ xoauth2: xoauth2(), password: "too" }, "xoauth2"],
      [{ xoauth2: xoauth2({ tokenEndpoint: "http://10.0.0.1/token" }) }, "xoauth2.tokenEndpoint"],
      [{ xoauth2: xoauth2({ scopes: ["two words"] }) }, "xoauth2.scopes[0]"],
      [{ xoauth2: xoauth2({ clientCredentials: { clientId: "c" } }) }, "xoauth2.clientCredentials.clientSecret"],
      [{ dkim: { domain: "acme.test", selector: "s1" } }, "dkim.privateKey"],
      [{ dkim: { ...dkim, privateKey: keys.publicKey } }, "dkim.privateKey"],
      [{ dkim: { ...dkim, privateKey: pemOf(1_024).privateKey } }, "dkim.privateKey"],
      [{ dkim: { ...dkim, domain: "other.test" } }, "dkim.domain"],
      [{ dkim: { ...dkim, selector: "not one" } }, "dkim.selector"],
    ];
    for (const [body, field] of refused) {
      const answer = await call("POST", "/admin/v1/email/smtp", server(body));
      expect([answer.status, fieldOf(answer)]).toEqual([400, field]);
    }
    expect(await service.ctx.db.prisma.emailProvider.count()).toBe(0);
  });
});

/** Queues a mail, and sends the oldest waiting one to its server. */
async function sendOne(service: TestService, routes: MailRoutes) {
  await record(
    { ...service.ctx, origin: { actor: "system" } },
    {
      type: "user.locked",
      object: { id: ada.id, organizationId: "acme" },
      state: async () => ({ messages: messageTo(passwordChange, ada) }),
    },
  );
  return deliverNext(service.ctx, routes);
}

/** Verifies a DKIM signature (RFC 6376 §3.4.2, relaxed, and §3.7), for mails whose header fields occur once. */
function isSigned(raw: string, publicKey: string): boolean {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const fields = head.split(/\r\n(?![ \t])/);
  const field = (name: string) => fields.find((each) => each.toLowerCase().startsWith(`${name}:`)) ?? "";
  const relaxed = (each: string) => {
    const colon = each.indexOf(":");
    const value = each
      .slice(colon + 1)
      .replace(/\r\n/g, "")
      .replace(/[ \t]+/g, " ")
      .trim();
    return `${each.slice(0, colon).toLowerCase().trim()}:${value}`;
  };
  const signature = field("dkim-signature");
  const tags = new Map(
    relaxed(signature)
      .slice("dkim-signature:".length)
      .split(";")
      .map((tag) => tag.trim().split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  const body = `${rest
    .join("\r\n\r\n")
    .replace(/[ \t]+\r\n/g, "\r\n")
    .replace(/[ \t]+/g, " ")
    .replace(/(\r\n)*$/, "")}\r\n`;
  const bodyHash = createHash("sha256").update(body, "latin1").digest("base64");
  if (bodyHash !== tags.get("bh")?.replace(/ /g, "")) return false;
  const signed = (tags.get("h") ?? "").split(":").map((name) => relaxed(field(name.trim().toLowerCase())));
  const own = relaxed(signature.replace(/(\bb=)[^;]*$/, "$1"));
  const verifier = createVerify("RSA-SHA256").update(
    [...signed.filter((each) => each !== ":"), own].join("\r\n"),
    "latin1",
  );
  return verifier.verify(publicKey, (tags.get("b") ?? "").replace(/ /g, ""), "base64");
}
