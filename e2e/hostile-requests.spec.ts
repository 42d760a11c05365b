/**
 * Requests that no well-meant client sends, as bytes on a socket: each is answered at once with a status that names the
 * fault, none with 500, and where the end of a request is in doubt the connection is closed (request smuggling,
 * RFC 9112 §11.2).
 */
import { expect, test } from "./fixtures";
import { sendRaw } from "./raw";

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
