/**
 * Malformed requests as bytes on a socket: each is answered at once with a status that describes the fault, none with
 * 500, and the connection is closed if the end of a request is ambiguous (request smuggling, RFC 9112 §11.2).
 */
import { expect, test } from "./fixtures";
import { connect, sendRaw } from "./raw";

const TOKEN = "/oauth/v2/token";
const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
const CLOSE = "Connection: close\r\n\r\n";
const big = "a".repeat(70_000);

/** Requests with an ambiguous end, which the service must reject with a closed connection. */
const AMBIGUOUS: [string, string][] = [
  [
    "two lengths by two rules",
    "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
  ],
  ["two transfer codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"],
  ["an unknown transfer coding", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"],
  ["two lengths", "Content-Length: 0\r\nContent-Length: 3\r\n\r\nabc"],
  ["a negative length", "Content-Length: -1\r\n\r\n"],
  ["a folded header", "X-A: a\r\n b\r\n\r\n"],
  ["a blank before the colon", "X-A : a\r\n\r\n"],
  ["a chunk of no size", "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"],
];

test("a request with an ambiguous end is rejected and its connection closed (RFC 9112 §11.2)", async ({ service }) => {
  for (const [what, rest] of AMBIGUOUS) {
    const answers = await sendRaw(service.baseUrl, `POST ${TOKEN} HTTP/1.1\r\nHost: localhost\r\n${FORM}${rest}`);
    expect(
      answers.map(({ status }) => status),
      what,
    ).toEqual([400]);
  }
});

/** The name, the request, and the expected status. */
const ODD: [string, string, number][] = [
  ["64 kB of headers", `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(65_536)}\r\n${CLOSE}`, 431],
  ["64 kB of query", `GET /oauth/v2/authorize?state=${"a".repeat(65_536)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 431],
  ["15 kB of query", `GET /oauth/v2/authorize?state=${"a".repeat(15_000)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
  ["a body too large", `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\n${FORM}Content-Length: ${big.length}\r\n\r\n${big}`, 413],
  ["a large body announced", `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\n${FORM}Content-Length: 104857600\r\n\r\nabc`, 413],
  [
    "a large body in chunks",
    `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\n${FORM}Transfer-Encoding: chunked\r\n\r\n11170\r\n${big}\r\n0\r\n\r\n`,
    413,
  ],
  [
    "a compressed body",
    `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\n${FORM}Content-Encoding: gzip\r\nContent-Length: 3\r\n${CLOSE}\x1f\x8b\x08`,
    400,
  ],
  ["HTTP/1.0 without a Host", "GET /readyz HTTP/1.0\r\n\r\n", 200],
  ["an address of its own in full", `GET http://evil.test/healthz HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 200],
  ["a network path", `GET //evil.test/login HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
  ["NUL in the path", `GET /login%00 HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
  ["half an escape in the path", `GET /oauth/v2/%f HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
  ["half an escape in the query", `GET /oauth/v2/authorize?client_id=%f HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
  ["no UTF-8 in the query", `GET /oauth/v2/authorize?client_id=%ff HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
  ["a path of the console that does not decode", `GET /console/%zz HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
  ["an unknown method", `PROPFIND ${TOKEN} HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 405],
  ["TRACE", `TRACE /.well-known/openid-configuration HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 405],
  [
    "an expectation nobody can meet",
    `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\n${FORM}Expect: cake\r\nContent-Length: 0\r\n${CLOSE}`,
    417,
  ],
  [
    "cookies that do not decode",
    `GET /logout/done HTTP/1.1\r\nHost: x\r\nCookie: ua=%zz; ua=\xff; =;;; ua\r\n${CLOSE}`,
    200,
  ],
  [
    "addresses of clients that are none",
    `GET /logout/done HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: garbage, \xff,,\r\n${CLOSE}`,
    200,
  ],
  [
    "languages that are none",
    `GET /logout/done HTTP/1.1\r\nHost: x\r\nAccept-Language: ${"de-".repeat(999)};q=NaN, *;q=9e99\r\n${CLOSE}`,
    200,
  ],
];

test("malformed requests get the status of their fault, never 500", async ({ service }) => {
  for (const [what, request, status] of ODD) {
    const [answer] = await sendRaw(service.baseUrl, request);
    expect(answer?.status, what).toBe(status);
    expect(answer?.body, what).not.toMatch(/\n\s+at /);
  }
  expect(service.output()).not.toMatch(/"level":50[^\n]*"msg":"request failed"/);
});

test("pipelined requests are answered in order, including those with unneeded bodies", async ({ service }) => {
  const requests = [
    "GET /logout/done HTTP/1.1\r\nHost: x\r\n\r\n",
    `POST /no-such-address HTTP/1.1\r\nHost: x\r\nContent-Length: ${big.length}\r\n\r\n${big}`,
    "GET /.well-known/openid-configuration HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
    `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\n${FORM}Content-Length: 14\r\n\r\ngrant_type=foo`,
    `HEAD /oauth/v2/keys HTTP/1.1\r\nHost: x\r\n${CLOSE}`,
  ];
  const answers = await sendRaw(service.baseUrl, requests.join(""));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 400, 200]);
  expect(answers.at(-1)).toMatchObject({ body: "" });
});

test("hundreds of silent connections do not block other clients", async ({ service }) => {
  const silent = await Promise.all(Array.from({ length: 300 }, () => connect(service.baseUrl)));
  for (const socket of silent.slice(0, 150)) socket.write("GET /healthz HTTP/1.1\r\nX-A: ");
  for (const path of ["/oauth/v2/keys", "/readyz", "/login/forgot-password"]) {
    expect((await fetch(`${service.baseUrl}${path}`)).status).toBe(200);
  }
  for (const socket of silent) socket.destroy();
});

test("no header of a request becomes part of an address", async ({ service }) => {
  const evil = ["Host", "X-Forwarded-Host", "X-Original-Host", "X-Host", "Forwarded"];
  const headers = evil.map((name) => `${name}: ${name === "Forwarded" ? "host=" : ""}evil.test\r\n`).join("");
  for (const path of ["/.well-known/openid-configuration", "/oauth/v2/authorize?client_id=spa", "/login", "/account"]) {
    const [answer] = await sendRaw(service.baseUrl, `GET ${path} HTTP/1.1\r\n${headers}${CLOSE}`);
    expect(JSON.stringify(answer), path).not.toContain("evil.test");
  }
});

test("an Upgrade to HTTP/2 is answered over HTTP/1.1, also after Next's first request (RFC 9110 §7.8)", async ({
  service,
}) => {
  await fetch(`${service.baseUrl}/console`);
  for (const protocol of ["h2c", "websocket"]) {
    const offer = `Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk\r\n`;
    const [answer] = await sendRaw(service.baseUrl, `GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\n${offer}\r\n`);
    expect(answer?.status, protocol).toBe(200);
    expect(JSON.parse(answer?.body ?? "").keys).not.toHaveLength(0);
  }
});

test("a client that disconnects in the middle of its request is not logged as an error of the service", async ({
  service,
}) => {
  const socket = await connect(service.baseUrl);
  socket.write("POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: hangs-up-early\r\n");
  socket.write("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ngrant_type");
  // A request on another connection is answered after the first bytes have arrived.
  await fetch(`${service.baseUrl}/healthz`);
  socket.destroy();
  await expect.poll(service.output).toContain('"requestId":"hangs-up-early"');
  expect(service.output()).not.toMatch(/"requestId":"hangs-up-early"[^\n]*"request failed"/);
});
