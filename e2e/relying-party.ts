/**
 * The application in a sign-in: a loopback server whose callback address the browser is sent back to. It only records
 * requests, unless a test sets its own application; OIDC libraries implement the protocol.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Arrival {
  method: string;
  /** The full address, including the query. */
  url: URL;
  /** The form of a form_post response. */
  form: URLSearchParams;
}

export interface RelyingParty {
  origin: string;
  /**
   * The address of the same server on the service's site, `localhost`: browsers send the service's cookies in frames
   * of its pages, as they do for app.example.com and login.example.com (RFC 6265bis §5.2).
   */
  siteOrigin: string;
  redirectUri: string;
  postLogoutRedirectUri: string;
  /** The requests at the callback since the last `forget()`, oldest first. */
  arrivals: readonly Arrival[];
  /** Lets `application` handle every request until `forget()`. */
  serve(application: RequestListener): void;
  /** Drops the recorded requests and the application. */
  forget(): void;
  close(): Promise<void>;
}

/** Listens on a free loopback port. Every address serves a small page titled "Application". */
export async function startRelyingParty(): Promise<RelyingParty> {
  const arrivals: Arrival[] = [];
  let origin = "";
  let served: RequestListener | undefined;
  const server = createServer(async (request, response) => {
    if (served) return served(request, response);
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
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    siteOrigin: `http://localhost:${port}`,
    redirectUri: `${origin}/callback`,
    postLogoutRedirectUri: `${origin}/signed-out`,
    arrivals,
    serve: (application) => {
      served = application;
    },
    forget: () => {
      arrivals.length = 0;
      served = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
