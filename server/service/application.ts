/**
 * The application: one table of all addresses of the service and their handlers. Our own listener and the Next route
 * handlers pass the same requests to it.
 */
import { contractRoutes } from "../api/docs/contract";
import { MAX_MESSAGE_BYTES } from "../api/grpc/wire";
import { largeBodies, MAX_UPLOAD_BYTES, operationRoutes, picturePaths } from "../api/rest/routes";
import { allProcedureRoutes } from "../api/zitadel/endpoints";
import { consoleApiRoutes } from "../console/api";
import { consoleRoutes } from "../console/sign-in";
import type { Context } from "../context";
import { isZitadelCompatible } from "../directory/zitadel-compatibility";
import { openPreflight } from "../http/cors";
import type { Http } from "../http/env";
import { healthRoute, readyRoute } from "../http/health";
import { introspectRoute, pushedAuthorizationRoute, revokeRoute, tokenRoute, userinfoRoute } from "../http/oauth";
import { routesInQueue } from "../http/page-queues";
import { registrationRoutes } from "../http/registration";
import { foreignHost } from "../http/request";
import { type Methods, mergeRoutes, type Routes } from "../http/routes";
import { isOauthMetadataOn } from "../oidc/endpoints/discovery";
import { isRegistrationOn } from "../oidc/endpoints/register";
import type { Readiness } from "../readiness";
import { accountRoutes } from "../web/account/routes";
import { authorizeRoute } from "../web/authorization";
import { deviceEndpoints, devicePages } from "../web/device/routes";
import { documentRoutes } from "../web/documents/routes";
import { homeRoute } from "../web/home";
import { loginRoutes, providerRoutes } from "../web/login/routes";
import { MAX_SAML_FORM, SAML_ACS_PATH } from "../web/login/saml";
import { setupPageRoute, setupSubmitRoute } from "../web/login/setup";
import { endSessionRoute, loggedOutRoute, logoutPageRoute, logoutSubmitRoute } from "../web/login/sign-out";
import { publicDocumentAnswer, publicDocuments } from "../web/public-document";
import { errorPageRoute, notFoundAnswer, wrongHost } from "./answers/errors";
import { brandAssetRoutes, readAssets } from "./assets/assets";
import { metricsRoute } from "./metrics-route";
import { pictureUploadRoutes } from "./picture-uploads";
import { type Address, type Application, applicationAt } from "./routing";

/** Bytes: more than any request of these endpoints needs, and small enough to read at once. */
const MAX_BODY_BYTES = 64 * 1024;

const endpoints: Routes = {
  ...deviceEndpoints,
  ...brandAssetRoutes,
  "/oauth/v2/authorize": { GET: authorizeRoute, POST: authorizeRoute },
  "/oauth/v2/token": { POST: tokenRoute },
  "/oauth/v2/introspect": { POST: introspectRoute },
  "/oauth/v2/revoke": { POST: revokeRoute },
  "/oauth/v2/par": { POST: pushedAuthorizationRoute },
  "/oidc/v1/userinfo": { GET: userinfoRoute, POST: userinfoRoute },
  "/oidc/v1/end_session": { GET: endSessionRoute, POST: endSessionRoute },
  "/healthz": { GET: (_, http) => healthRoute(http) },
};

/** Pages for people. On a host other than that of BASE_URL they only show the correct address. */
const pages: Routes = {
  ...routesInQueue(
    {
      ...devicePages,
      ...consoleRoutes,
      "/": { GET: homeRoute },
      ...providerRoutes,
      ...loginRoutes, // the forms have their own queues for hashing, and limits
      "/logout": { GET: logoutPageRoute },
      "/logout/submit": { POST: logoutSubmitRoute },
      "/logout/done": { GET: loggedOutRoute },
      "/setup": { GET: setupPageRoute },
      "/setup/submit": { POST: setupSubmitRoute },
      "/error": { GET: errorPageRoute },
    },
    ["GET"],
  ),
  ...routesInQueue(accountRoutes, ["GET", "POST"]),
};

export interface ApplicationOptions {
  readiness: Readiness;
  /** The folder with logo and icons. */
  iconDirectory: string;
}

/** Builds the application for an open context. */
export function makeApplication(ctx: Context, { readiness, iconDirectory }: ApplicationOptions): Application {
  const addresses = new Map<string, Address>();
  const register = (path: string, methods: Methods, rest: Partial<Address> = {}) => {
    if (addresses.has(path)) throw new Error(`${path} is registered twice`);
    addresses.set(path, { methods, maxBodyBytes: MAX_BODY_BYTES, ...rest });
  };
  const { documents, oauthMetadata } = publicDocuments(ctx);
  for (const [path, source] of [...documents, ...oauthMetadata]) {
    const methods: Methods = {
      GET: async (_, http) => publicDocumentAnswer(http, await source()),
      OPTIONS: (_, http) => openPreflight(http),
    };
    register(path, methods, oauthMetadata.has(path) ? { guard: metadataGuard } : {});
  }
  register("/readyz", { GET: (_, http) => readyRoute(ctx, readiness, http) });
  register("/metrics", { GET: (_, http) => metricsRoute(ctx, readiness, http) });
  for (const [path, asset] of readAssets(iconDirectory)) {
    register(path, { GET: (_, http) => publicDocumentAnswer(http, asset) });
  }
  for (const [path, methods] of Object.entries(endpoints)) register(path, methods);
  for (const [path, methods] of Object.entries(registrationRoutes))
    register(path, methods, { guard: registrationGuard });
  const procedures = allProcedureRoutes(ctx, readiness);
  const consoleApi = consoleApiRoutes((request, bindings) => application.fetch(request, bindings));
  const apis = mergeRoutes(operationRoutes, procedures.rest, pictureUploadRoutes, procedures.own, consoleApi);
  for (const [path, methods] of Object.entries(apis)) {
    // A request that the console forwards is also subject to the limit of its destination.
    const isUpload = picturePaths.has(path) || path in pictureUploadRoutes;
    const largest = path in consoleApi ? Math.max(MAX_UPLOAD_BYTES, ...largeBodies.values()) : largeBodies.get(path);
    const maxBodyBytes = largest ?? (isUpload ? MAX_UPLOAD_BYTES : MAX_MESSAGE_BYTES);
    register(path, methods, { maxBodyBytes, isProcedure: path in procedures.own });
  }
  const ofZitadel = { maxBodyBytes: MAX_MESSAGE_BYTES, isProcedure: true, guard: zitadelGuard };
  for (const [path, methods] of Object.entries(procedures.zitadel)) register(path, methods, ofZitadel);
  for (const [path, methods] of Object.entries(contractRoutes(ctx))) register(path, methods);
  for (const [path, methods] of Object.entries(documentRoutes())) register(path, methods);
  for (const [path, methods] of Object.entries(pages)) {
    const maxBodyBytes = path === SAML_ACS_PATH ? MAX_SAML_FORM : MAX_BODY_BYTES;
    register(path, methods, { guard: hostGuard, maxBodyBytes });
  }
  const application = applicationAt(ctx, addresses);
  return application;
}

/** Answers 404, for any method, while the instance does not publish OAuth metadata. */
async function metadataGuard(ctx: Context, http: Http): Promise<Response | undefined> {
  return (await isOauthMetadataOn(ctx)) ? undefined : notFoundAnswer(ctx, http);
}

/** Answers 404, for any method, while the instance does not speak to ZITADEL's clients. */
async function zitadelGuard(ctx: Context, http: Http): Promise<Response | undefined> {
  return (await isZitadelCompatible(ctx)) ? undefined : notFoundAnswer(ctx, http);
}

/** Answers 404, for any method, while clients cannot register themselves. */
async function registrationGuard(ctx: Context, http: Http): Promise<Response | undefined> {
  return (await isRegistrationOn(ctx)) ? undefined : notFoundAnswer(ctx, http);
}

/** Returns undefined if the host is the configured one or the client is not a browser. */
function hostGuard(ctx: Context, http: Http): Promise<Response> | undefined {
  const came = http.req.method === "GET" ? foreignHost(ctx, http) : undefined;
  return came === undefined ? undefined : wrongHost(ctx, http, came);
}
