/**
 * A whole service for one test: fresh database, a clock that tests move, the application without a socket, and a
 * browser that keeps cookies. There are no mocks.
 */
import path from "node:path";
import { pino } from "pino";
import { applyBootstrap } from "../bootstrap/apply";
import type { Config } from "../config/config";
import { loadConfig } from "../config/config";
import type { Context } from "../context";
import { openSecrets } from "../crypto/secrets";
import { ensureInstance } from "../directory/instance";
import { ensureSigningKeys } from "../keys/signing-keys";
import { createRefreshAnswers } from "../refresh-answers";
import { root } from "../root";
import { makeApplication } from "../service/application";
import { connectTestDatabase, keepContent, testDatabaseUrl } from "./database";
import { haveRealHashes } from "./hashes";
import { testKeyPair } from "./key-pairs";
import { preparation } from "./preparations";

export interface TestService extends ProtocolService {
  ctx: Context;
  config: Config;
  application: ReturnType<typeof makeApplication>;
  /** For other connections to its database. */
  databaseUrl: string;
}

/** The parts of a provider, ours or another, that tests of the protocol use. */
export interface ProtocolService {
  ctx: Pick<Context, "clock">;
  /** Advances the clock by milliseconds. */
  advance(ms: number): void;
  /** Sends one request to the application, without following redirects. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A new browser with no cookies. */
  browser(): TestBrowser;
  close(): Promise<void>;
}

export interface TestBrowser {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /**
   * Posts a form as a page does. Returns the response; for a rejected form, the page that it leads back to, with the
   * reason.
   */
  post(path: string, form: Record<string, string>): Promise<Response>;
  cookies: Map<string, string>;
}

export const BASE_URL = "http://localhost:8080";

/**
 * Starts a service.
 * @param bootstrap the bootstrap file to apply, see exampleBootstrap
 * @param baseUrl the issuer if real clients must reach it; see on-a-port.ts
 */
export async function testService(
  kind: "sqlite" | "postgresql",
  bootstrap: object,
  baseUrl: string = BASE_URL,
): Promise<TestService> {
  const config = loadConfig({ NODE_ENV: "test", BASE_URL: baseUrl, LOG_LEVEL: "silent" }, "/dev/null");
  if (Array.isArray(config)) throw new Error(JSON.stringify(config));
  const prepared = preparation("service", kind, baseUrl, haveRealHashes(), bootstrap);
  const content = await prepared.content;
  const url = await testDatabaseUrl(kind, content);
  const db = await connectTestDatabase(url);
  let offset = 0;
  const ctx: Context = {
    db,
    config,
    secrets: openSecrets(["a secret key of tests, thirty-two characters or more"]),
    clock: () => Date.now() + offset,
    log: pino({ level: "silent" }),
    refreshAnswers: createRefreshAnswers(db, config.lifetimes.refreshGrace),
    pause: async () => undefined,
    keyPair: testKeyPair,
  };
  if (content === undefined) {
    const instance = await ensureInstance(ctx);
    await ensureSigningKeys(ctx, instance.id);
    await applyBootstrap(ctx, bootstrap);
    prepared.content ??= keepContent(url);
    await prepared.content;
  }
  const advance = (ms: number) => {
    offset += ms;
  };
  return { ...serve(ctx), databaseUrl: url, advance, close: () => db.close() };
}

function serve(ctx: Context): Omit<TestService, "advance" | "close" | "databaseUrl"> {
  const { config } = ctx;
  const iconDirectory = path.join(root, "public", "icons");
  const application = makeApplication(ctx, { readiness: { draining: false }, iconDirectory });
  const fetch = async (path: string, init: RequestInit = {}) =>
    application.fetch(new Request(new URL(path, config.baseUrl), { redirect: "manual", ...init }));
  return { ctx, config, application, fetch, browser: () => testBrowser(fetch, config.baseUrl) };
}

/**
 * Returns another process of the same service. @param db its access to the database, if it differs from that of the
 * first
 */
export function anotherProcess(service: TestService, db = service.ctx.db): TestService {
  return {
    ...service,
    ...serve({ ...service.ctx, db, refreshAnswers: createRefreshAnswers(db, service.config.lifetimes.refreshGrace) }),
  };
}

export function testBrowser(fetch: ProtocolService["fetch"], baseUrl = BASE_URL): TestBrowser {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(init.headers);
    if (cookie) headers.set("cookie", cookie);
    const response = await fetch(path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";");
      const [name = "", value = ""] = pair.split("=");
      if (attributes.some((attribute) => /^ *max-age=0$/i.test(attribute))) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    post: async (path, form) => {
      const answer = await send(path, {
        method: "POST",
        body: new URLSearchParams(form),
        headers: { origin: baseUrl, "sec-fetch-site": "same-origin" },
      });
      const location = answer.headers.get("location") ?? "";
      const isRefused = answer.status === 303 && new URL(location, baseUrl).searchParams.has("refused");
      return isRefused ? send(location.slice(baseUrl.length), {}) : answer;
    },
  };
}
