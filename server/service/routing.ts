/**
 * The router: finds the address of a request and runs what applies to every request. It knows the addresses but not
 * their handlers, which it looks up in the requested application. So all applications of a process with the same
 * addresses share one router: Hono builds its tables at the first request, which takes 60 ms of processor time. Known
 * addresses answer other methods with 405 and Allow (RFC 9110 §15.5.6).
 */
import { Hono, type Next } from "hono";
import { matchedRoutes } from "hono/route";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { limitBody } from "../http/body-limit";
import { crossOrigin, crossOriginMethods } from "../http/cors";
import { apiCrossOrigin, managementApis } from "../http/cors-api";
import type { Env, Http } from "../http/env";
import { traceOf } from "../http/request";
import { nameResourceMetadata } from "../http/resource-metadata";
import type { Handler, Methods } from "../http/routes";
import { countRequest } from "../metrics/requests";
import { managementBaseOf } from "../protocol/protected-resource";
import { isTracing, openRequestSpan } from "../tracing/span";
import { methodNotAllowed, notFoundAnswer, tooLarge, unforeseen } from "./answers/errors";
import { isConsoleAddress, PAGE_METHODS } from "./console-pages";

/** The pages of identity providers: `/idps/callback`, `/idps/:id/ldap`. */
const PROVIDER_BASE = "/idps/";
const REQUEST_ID = /^[\w.-]{8,64}$/;

/** The handlers of an application at one address. */
export interface Address {
  methods: Methods;
  /** The largest body, in bytes. */
  maxBodyBytes: number;
  /** Called before the methods and before a method is rejected. If it returns a response, that is the answer. */
  guard?: (ctx: Context, http: Http) => Promise<Response | undefined> | Response | undefined;
  /** Remote procedures are called from other origins like the management APIs, at separate addresses. */
  isProcedure?: boolean;
}

/** Answers requests on our own server, under Next and in tests. */
export type Application = Pick<Hono<Env>, "fetch" | "router" | "routes">;

/** The requested application, which the router gets with each request. */
interface Asked {
  ctx: Context;
  addresses: ReadonlyMap<string, Address>;
}

/** Creates the application that answers at these addresses. */
export function applicationAt(ctx: Context, addresses: ReadonlyMap<string, Address>): Application {
  const router = routerOf(addresses);
  const asked: Asked = { ctx, addresses };
  return {
    router: router.router,
    routes: router.routes,
    fetch(request, bindings) {
      const { incoming, outgoing, isFromConsole } = (bindings ?? {}) as Env["Bindings"];
      return router.fetch(request, { incoming, outgoing, isFromConsole, asked });
    },
  };
}

const askedIn = (http: Http): Asked => (http.env as { asked: Asked }).asked;

/**
 * The routers of this process by their addresses. There is one, except in tests of applications with other addresses.
 */
const routers = new Map<string, Hono<Env>>();

function routerOf(addresses: ReadonlyMap<string, Address>): Hono<Env> {
  const known = Array.from(
    addresses,
    ([path, { methods, maxBodyBytes, guard, isProcedure }]) =>
      `${path} ${Object.keys(methods)} ${maxBodyBytes} ${guard !== undefined} ${isProcedure}`,
  ).join("\n");
  const router = routers.get(known) ?? makeRouter(addresses);
  routers.set(known, router);
  return router;
}

function makeRouter(addresses: ReadonlyMap<string, Address>): Hono<Env> {
  const app = new Hono<Env>();
  // Some addresses have fixed names next to parameters (`/orgs/default`, `/orgs/:orgId`), which Hono's fastest router
  // does not support. They get a separate router, so that the hot endpoints keep the fast one.
  const mixed = new Hono<Env>();
  for (const path of [...managementApis, `${PROVIDER_BASE}*`]) {
    app.all(path, (http) => mixed.fetch(http.req.raw, http.env));
  }
  for (const each of [app, mixed]) accompany(each);
  const fromApps = (http: Http, next: Next) => crossOrigin(askedIn(http).ctx, http, next);
  const fromApiCallers = (http: Http, next: Next) => apiCrossOrigin(askedIn(http).ctx, http, next);
  for (const path of managementApis) {
    mixed.use(path, fromApiCallers);
    mixed.use(path, (http, next) => nameResourceMetadata(askedIn(http).ctx, http, next));
  }
  for (const [path, { methods, maxBodyBytes, isProcedure }] of addresses) {
    const router = managementBaseOf(path) || path.startsWith(PROVIDER_BASE) ? mixed : app;
    if (path in crossOriginMethods) router.use(path, fromApps);
    if (isProcedure) router.use(path, fromApiCallers);
    const limit = limitBody(maxBodyBytes, (http) => tooLarge(askedIn(http).ctx, http));
    for (const method of Object.keys(methods) as (keyof Methods)[]) {
      const route = (http: Http) => answerAt(path, method, http);
      if (method === "GET") router.get(path, route);
      else router.on(method, path, limit, route);
    }
    const allow = Object.keys(methods).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    router.all(path, async (http) => {
      const { ctx } = askedIn(http);
      return (await guarded(path, http)) ?? methodNotAllowed(ctx, http, allow.join(", "));
    });
  }
  return app;
}

async function answerAt(path: string, method: keyof Methods, http: Http): Promise<Response> {
  const { ctx, addresses } = askedIn(http);
  const { methods } = addresses.get(path) as Address;
  return (await guarded(path, http)) ?? (methods[method] as Handler)(ctx, http);
}

function guarded(path: string, http: Http): ReturnType<NonNullable<Address["guard"]>> {
  const { ctx, addresses } = askedIn(http);
  return addresses.get(path)?.guard?.(ctx, http);
}

/** Adds what applies to every request: an id, a log line, metrics and error handling. */
function accompany(app: Hono<Env>): void {
  app.use(async (http, next) => {
    const { ctx } = askedIn(http);
    const given = http.req.header("x-request-id");
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : newId();
    http.set("requestId", requestId);
    http.header("x-request-id", requestId);
    http.header("x-content-type-options", "nosniff"); // JSON with user input in it must not be read as a page
    const startedAt = performance.now();
    const { method, path } = http.req; // never the query, which may contain codes and hints
    const span = isTracing() ? openRequestSpan({ method, path, ...traceOf(ctx, http) }) : undefined;
    const log = () => {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      countRequest(method, routeOf(http), http.res.status, ms);
      ctx.log.info({ requestId, method, path, status: http.res.status, ms }, "request");
    };
    if (span === undefined) {
      await next();
      return log();
    }
    await span.run(async () => {
      await next();
      log();
    });
    span.end(http.res.status, routeOf(http), requestId);
  });
  app.onError((error, http) => unforeseen(askedIn(http).ctx, http, error));
  app.notFound((http) => {
    const { ctx } = askedIn(http);
    const { method, url } = http.req;
    const isPage = !PAGE_METHODS.includes(method) && isConsoleAddress(new URL(url).pathname);
    return isPage ? methodNotAllowed(ctx, http, PAGE_METHODS.join(", ")) : notFoundAnswer(ctx, http);
  });
}

/** The pattern of the matched address; undefined for unknown addresses. */
function routeOf(http: Http): string | undefined {
  return matchedRoutes(http).findLast(({ path }) => path !== "/*")?.path;
}
