/**
 * The environment that unmodified third-party libraries need: the service on one port, an application on another, and
 * a browser-like client that goes from one to the other, by real HTTP.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { procedureListener } from "../api/zitadel/endpoints";
import { createPlainServer, SERVER_LIMITS } from "../service/http-server/one-port";
import { requestListener } from "../service/http-server/request-listener";
import { PASSWORD } from "./example";
import { testService } from "./test-context";

/** More redirects than any sign-in takes; a redirect loop ends here. */
const MAX_REDIRECTS = 20;

export interface OnAPort {
  /** Its address without a trailing slash. */
  origin: string;
  close(): Promise<void>;
}

async function listen(server: http.Server, hostname = "localhost"): Promise<OnAPort> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${hostname}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface ServiceOnAPort extends OnAPort {
  ctx: Awaited<ReturnType<typeof testService>>["ctx"];
}

/**
 * Starts the whole service on an empty SQLite database. Its issuer is its origin.
 * @param hostname another one for a second service, whose cookies would replace those of the first
 */
export async function serviceOnAPort(bootstrap: object, hostname?: "127.0.0.1"): Promise<ServiceOnAPort> {
  let listener: http.RequestListener | undefined;
  const plain = createPlainServer(SERVER_LIMITS, (request, response) => listener?.(request, response));
  const server = await listen(plain, hostname);
  const service = await testService("sqlite", bootstrap, server.origin);
  listener = requestListener({
    ...service,
    procedures: procedureListener(service.ctx, { draining: false }),
  });
  const close = async () => {
    await server.close();
    await service.close();
  };
  return { origin: server.origin, ctx: service.ctx, close };
}

export interface ApplicationOnAPort extends OnAPort {
  /** Sets the application. The port is known before, because its address is registered first. */
  serve(application: http.RequestListener): void;
}

export async function applicationOnAPort(): Promise<ApplicationOnAPort> {
  let served: http.RequestListener | undefined;
  const server = await listen(http.createServer((request, response) => served?.(request, response)));
  return {
    ...server,
    serve: (application) => {
      served = application;
    },
  };
}

/** The final page of a navigation. */
export interface Arrival {
  url: URL;
  status: number;
  body: string;
}

export interface Surfer {
  /**
   * Opens an address and follows redirects, signs Ada in if asked, and submits forms that a script would submit.
   * @param until stops before the first address with this prefix, as if nothing listened there
   */
  open(address: string, until?: string): Promise<Arrival>;
  /** Posts a form as a page of the same site. */
  post(address: string, form: Record<string, string>, until?: string): Promise<Arrival>;
  /** How often it filled in the sign-in form. */
  signIns(): number;
}

/** Returns a browser without scripts. Cookies belong to a host name, regardless of the port (RFC 6265 §8.5). */
export function surfer(issuer: string): Surfer {
  const jar = new Map<string, Map<string, string>>();
  let signIns = 0;

  const send = async (url: URL, form?: Record<string, string> | URLSearchParams) => {
    const cookies = jar.get(url.hostname) ?? new Map<string, string>();
    jar.set(url.hostname, cookies);
    const headers = new Headers({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
    if (form) headers.set("origin", url.origin);
    const body = form && new URLSearchParams(form);
    const response = await fetch(url, { method: form ? "POST" : "GET", headers, body, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    return response;
  };

  const follow = async (start: URL, first: Response, until: string | undefined): Promise<Arrival> => {
    let url = start;
    let response = first;
    for (let step = 0; step < MAX_REDIRECTS; step++) {
      const location = response.headers.get("location");
      if (location !== null) {
        await response.arrayBuffer();
        url = new URL(location, url);
        if (until !== undefined && url.href.startsWith(until)) return { url, status: 0, body: "" };
        response = await send(url);
        continue;
      }
      const body = await response.text();
      const form = response.status === 200 ? formToSend(issuer, url, body) : undefined;
      if (!form) return { url, status: response.status, body };
      if ("password" in form.fields) signIns++;
      url = form.url;
      response = await send(form.url, form.fields);
    }
    throw new Error(`still redirected after ${MAX_REDIRECTS} steps: ${url}`);
  };

  return {
    open: async (address, until) => follow(new URL(address), await send(new URL(address)), until),
    post: async (address, form, until) => follow(new URL(address), await send(new URL(address), form), until),
    signIns: () => signIns,
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const at = pair.indexOf("=");
  const isGone = attributes.some((attribute) => /^ *(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(attribute));
  if (isGone) cookies.delete(pair.slice(0, at));
  else cookies.set(pair.slice(0, at), pair.slice(at + 1));
}

/** Returns the filled sign-in form, or the form of a form_post response (OAuth 2.0 Form Post Response Mode §2). */
function formToSend(issuer: string, page: URL, body: string) {
  const flow = page.searchParams.get("flow") ?? "";
  if (page.href.startsWith(`${issuer}/login?`)) {
    return { url: new URL("/login/submit", page), fields: { flow, loginName: "ada@acme.test", password: PASSWORD } };
  }
  if (page.href.startsWith(`${issuer}/login/continue?`)) {
    return { url: new URL("/login/continue/submit", page), fields: { flow } };
  }
  const action = page.href.startsWith(issuer) ? /<form[^>]* action="(http[^"]+)"/.exec(body)?.[1] : undefined;
  if (action === undefined) return undefined;
  const inputs = body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value]));
  return { url: new URL(action), fields };
}
