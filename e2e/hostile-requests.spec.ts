/**
 * Requests that no well-meant client sends, as bytes on a socket: each is answered at once with a status that names the
 * fault, none with 500, and where the end of a request is in doubt the connection is closed (request smuggling,
 * RFC 9112 §11.2).
 */
import { expect, test } from "./fixtures";
import { connect, sendRaw } from "./raw";

test("an offer of HTTP/2 by Upgrade is answered over HTTP/1.1, also after Next's first request (RFC 9110 §7.8)", async ({
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

test("a client that hangs up in the middle of its request is no fault of the service", async ({ service }) => {
  const socket = await connect(service.baseUrl);
  socket.write("POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: hangs-up-early\r\n");
  socket.write("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ngrant_type");
  // What is asked on another connection is answered after the first bytes have arrived.
  await fetch(`${service.baseUrl}/healthz`);
  socket.destroy();
  await expect.poll(service.output).toContain('"requestId":"hangs-up-early"');
  expect(service.output()).not.toContain("request failed");
});
