/**
 * The application's side of a sign-in: a loopback server whose callback address the browser is sent back to. It only
 * keeps what arrived; the protocol is done by OIDC libraries in the tests.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Arrival {
  method: string;
  /** The full address, query included. */
  url: URL;
  /** What a form_post response brought. */
  form: URLSearchParams;
}

export interface RelyingParty {
  origin: string;
  redirectUri: string;
  postLogoutRedirectUri: string;
  /** Everything that arrived at the callback since the last `forget()`, oldest first. */
  arrivals: readonly Arrival[];
  forget(): void;
  close(): Promise<void>;
}

/** Listens on a free loopback port; every address answers a small page titled "Application". */
export async function startRelyingParty(): Promise<RelyingParty> {
  const arrivals: Arrival[] = [];
  let origin = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const url = new URL(request.url ?? "/", origin);
    if (url.pathname === "/callback") {
      arrivals.push({ method: request.method ?? "", url, form: new URLSearchParams(body) });
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<!doctype html><html lang=en><title>Application</title><h1>Back at the application</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    redirectUri: `${origin}/callback`,
    postLogoutRedirectUri: `${origin}/signed-out`,
    arrivals,
    forget: () => {
      arrivals.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
