/**
 * A server on the loopback interface with the API of Twilio and of webhooks: it keeps requests and sends configured
 * responses.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface PhoneGateway {
  url: string;
  requests: ReceivedRequest[];
  /** By default Twilio's response to an accepted message. */
  answer: http.RequestListener | undefined;
  /** The text messages that were sent through Twilio, oldest first. */
  texts(): { to: string; from: string; text: string }[];
  stop(): Promise<void>;
}

const created: http.RequestListener = (_, response) =>
  response
    .writeHead(201, { "content-type": "application/json" })
    .end(JSON.stringify({ sid: "SM0123456789", status: "queued", error_code: null }));

export async function startPhoneGateway(): Promise<PhoneGateway> {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = "", headers } = request;
    gateway.requests.push({ path: url, headers, body: Buffer.concat(chunks).toString() });
    (gateway.answer ?? created)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gateway: PhoneGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: undefined,
    texts: () =>
      gateway.requests.map(({ body }) => {
        const form = new URLSearchParams(body);
        return { to: form.get("To") ?? "", from: form.get("From") ?? "", text: form.get("Body") ?? "" };
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gateway;
}
