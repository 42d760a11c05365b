/**
 * The application: every address of the service and its handler, as one table. The direct lane and the Next route
 * handlers give it the same requests. Known addresses answer other methods with 405 and Allow (RFC 9110 §15.5.6).
 */
import { Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { contractRoutes } from "../api/docs/contract";
import { MAX_MESSAGE_BYTES, procedureRoutes } from "../api/grpc/endpoints";
import { largeBodies, MAX_UPLOAD_BYTES, operationRoutes, picturePaths } from "../api/rest/routes";
import { consoleApiRoutes } from "../console/api";
import { consoleRoutes } from "../console/sign-in";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { limitBody } from "../http/body-limit";
import { crossOrigin, crossOriginMethods, openPreflight } from "../http/cors";
import { apiCrossOrigin, isManagementPath, managementApis } from "../http/cors-api";
import type { Env, Http } from "../http/env";
import { healthRoute, type Readiness, readyRoute } from "../http/health";
import { introspectRoute, revokeRoute, tokenRoute, userinfoRoute } from "../http/oauth";
import { foreignHost, traceOf } from "../http/request";
import { type Handler, type Methods, mergeRoutes, type Routes } from "../http/routes";
import { countRequest } from "../metrics/instruments";
import { isTracing, openRequestSpan } from "../tracing/span";
import { accountRoutes } from "../web/account/routes";
import { authorizeRoute } from "../web/authorization";
import { deviceEndpoints, devicePages } from "../web/device/routes";
import { documentRoutes } from "../web/documents/routes";
import { homeRoute } from "../web/home";
import { loginRoutes } from "../web/login/routes";
import { setupPageRoute, setupSubmitRoute } from "../web/login/setup";
import { endSessionRoute, loggedOutRoute, logoutPageRoute, logoutSubmitRoute } from "../web/login/sign-out";
import { type DocumentSource, publicDocumentAnswer } from "../web/public-document";
import { errorPageRoute, methodNotAllowed, notFound, tooLarge, unforeseen, wrongHost } from "./answers/errors";
import { readAssets } from "./assets/assets";
import { brandAssetRoutes } from "./assets/brand-assets";
import { metricsRoute } from "./metrics";
import { pictureUploadRoutes } from "./picture-uploads";

/** Bytes: more than any request of these endpoints needs, and small enough to read at once. */
const MAX_BODY_BYTES = 64 * 1024;

const endpoints: Routes = {
  ...deviceEndpoints,
  ...brandAssetRoutes,
  "/oauth/v2/authorize": { GET: authorizeRoute, POST: authorizeRoute },
  "/oauth/v2/token": { POST: tokenRoute },
  "/oauth/v2/introspect": { POST: introspectRoute },
  "/oauth/v2/revoke": { POST: revokeRoute },
  "/oidc/v1/userinfo": { GET: userinfoRoute, POST: userinfoRoute },
  "/oidc/v1/end_session": { GET: endSessionRoute, POST: endSessionRoute },
  "/metrics": { GET: metricsRoute },
  "/healthz": { GET: (_, http) => healthRoute(http) },
};

/** Pages for people; on a host other than BASE_URL's they only say which address to use. */
const pages: Routes = {
  ...devicePages,
  ...consoleRoutes,
  "/": { GET: homeRoute },
  ...loginRoutes,
  ...accountRoutes,
  "/logout": { GET: logoutPageRoute },
  "/logout/submit": { POST: logoutSubmitRoute },
  "/logout/done": { GET: loggedOutRoute },
  "/setup": { GET: setupPageRoute },
  "/setup/submit": { POST: setupSubmitRoute },
  "/error": { GET: errorPageRoute },
};

const REQUEST_ID = /^[\w.-]{8,64}$/;

export interface ApplicationOptions {
  readiness: Readiness;
  /** The folder with logo and icons. */
  iconDirectory: string;
  /** See publicDocuments. */
  documents: ReadonlyMap<string, DocumentSource>;
}

/** The whole application over an open context. */
export function makeApplication(ctx: Context, { readiness, iconDirectory, documents }: ApplicationOptions): Hono<Env> {
  const app = new Hono<Env>();
  // The management APIs have fixed names next to parameters (`/orgs/default`, `/orgs/:orgId`), which Hono's fastest
  // router does not support. They get a router of their own, so that the hot endpoints keep the fast one.
  const management = new Hono<Env>();
  for (const path of managementApis) app.all(path, (http) => management.fetch(http.req.raw, http.env));
  for (const each of [app, management]) accompany(ctx, each);

  const limitTo = (maxSize: number) => limitBody(maxSize, (http) => tooLarge(ctx, http));
  const usualLimit = limitTo(MAX_BODY_BYTES);
  const textLimit = limitTo(MAX_MESSAGE_BYTES);
  const uploadLimit = limitTo(MAX_UPLOAD_BYTES);
  const register = (path: string, methods: Methods, guard?: Handler, limit = usualLimit) => {
    const router = isManagementPath(path) ? management : app;
    for (const [method, handler] of Object.entries(methods)) {
      const route = async (http: Http) => (await guard?.(ctx, http)) ?? handler(ctx, http);
      if (method === "GET") router.get(path, route);
      else router.on(method, path, limit, route);
    }
    const allow = Object.keys(methods).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    router.all(path, (http) => methodNotAllowed(ctx, http, allow.join(", ")));
  };
  const procedures = procedureRoutes(ctx, readiness);
  for (const path of Object.keys(crossOriginMethods)) app.use(path, crossOrigin(ctx));
  for (const path of Object.keys(procedures)) app.use(path, apiCrossOrigin(ctx));
  for (const path of managementApis) management.use(path, apiCrossOrigin(ctx));
  for (const [path, source] of documents) {
    register(path, {
      GET: async (_, http) => publicDocumentAnswer(http, await source()),
      OPTIONS: (_, http) => openPreflight(http),
    });
  }
  register("/readyz", { GET: (_, http) => readyRoute(ctx, readiness, http) });
  for (const [path, asset] of readAssets(iconDirectory)) {
    register(path, { GET: (_, http) => publicDocumentAnswer(http, asset) });
  }
  for (const [path, methods] of Object.entries(endpoints)) register(path, methods);
  const consoleApi = consoleApiRoutes((request, bindings) => app.fetch(request, bindings));
  const apis = mergeRoutes(operationRoutes(), pictureUploadRoutes, procedures, consoleApi);
  for (const [path, methods] of Object.entries(apis)) {
    // What the console forwards is also held to the limit of its destination.
    const isUpload = picturePaths.has(path) || path in pictureUploadRoutes;
    const largest = path in consoleApi ? Math.max(MAX_UPLOAD_BYTES, ...largeBodies.values()) : largeBodies.get(path);
    const limit = isUpload ? uploadLimit : textLimit;
    register(path, methods, undefined, largest === undefined ? limit : limitTo(largest));
  }
  for (const [path, methods] of Object.entries(contractRoutes(ctx))) register(path, methods);
  for (const [path, methods] of Object.entries(documentRoutes())) register(path, methods);
  for (const [path, methods] of Object.entries(pages)) register(path, methods, hostGuard as Handler);
  return app;
}

/** What every request gets, whatever answers it: an id, a log line, metrics and error handling. */
function accompany(ctx: Context, app: Hono<Env>): void {
  app.use(async (http, next) => {
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
  app.onError((error, http) => unforeseen(ctx, http as Http, error));
  app.notFound((http) => notFound(ctx, http as Http));
}

/** The pattern of the matched address; undefined for unknown addresses. */
function routeOf(http: Http): string | undefined {
  return matchedRoutes(http).findLast(({ path }) => path !== "/*")?.path;
}

/** Nothing if the host is the configured one or the client is not a browser. */
function hostGuard(ctx: Context, http: Http): Promise<Response> | undefined {
  const came = http.req.method === "GET" ? foreignHost(ctx, http) : undefined;
  return came === undefined ? undefined : wrongHost(ctx, http, came);
}
