/**
 * The REST routes of the operations. Only bearer tokens are accepted, no cookies, so that pages of other sites cannot
 * call them (attack: CSRF). Operations that are also remote procedures respond in the media type of the Accept header.
 */

import { apiAnswer, apiErrorAnswer, callersLanguage, jsonBody, presentedCredentials } from "../../http/api-errors";
import type { Http } from "../../http/env";
import { clientAddress } from "../../http/request";
import { type Handler, mergeRoutes, type Routes } from "../../http/routes";
import { type ApiError, isApiError, statusOf } from "../../protocol/api-error";
import { operations } from "../all";
import { grpcAnswer, negotiateMedia } from "../grpc/media";
import { ignoredHeader } from "../operation/lenient-body";
import type { Operation } from "../operation/operation";
import { organizationInHeader, organizationInQuery } from "../operation/organization-header";
import { misfitRefusal } from "../operation/parameters";
import { performOperation } from "../operation/perform";
import type { Procedure } from "../operation/procedure";
import { isStreamed, streamedResponse } from "../operation/streamed";

/** The addresses whose bodies may contain a picture in base64. */
export const picturePaths: ReadonlySet<string> = new Set(
  operations.filter(({ carriesPicture }) => carriesPicture).map(({ path }) => path),
);
/** The largest bodies by address, in bytes. */
export const largeBodies: ReadonlyMap<string, number> = new Map(
  operations.flatMap(({ path, maxBodyBytes }) => (maxBodyBytes === undefined ? [] : [[path, maxBodyBytes] as const])),
);
/** Bytes. */
export const MAX_UPLOAD_BYTES = 704 * 1024;

/** The routes of the operations. Handlers get the context with each request, so one table serves every application. */
export const operationRoutes: Routes = routesOf(operations);

function routesOf(all: readonly Operation[]): Routes {
  const tables = all.flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? []), ...(operation.misspelt ?? [])].map((path) => {
      return { [path]: { [operation.method]: handlerOf(operation) } };
    }),
  );
  return mergeRoutes(...tables);
}

function handlerOf(operation: Operation): Handler {
  return async (ctx, http) => {
    const parameters = http.req.param() as Record<string, string>;
    const misfit = misfitRefusal(operation, parameters);
    if (misfit) return apiErrorAnswer(http, misfit);
    let ignored: readonly string[] = [];
    const answer = await performOperation(ctx, operation, {
      credentials: presentedCredentials(ctx, http),
      organizationId: organizationInHeader(http) ?? organizationInQuery(operation, http.req.query()),
      parameters,
      query: queryOf(http, operation),
      body: () => jsonBody(http),
      ifMatch: http.req.header("if-match"),
      requestId: http.get("requestId"),
      language: callersLanguage(http),
      address: clientAddress(ctx, http),
      signal: http.req.raw.signal,
      onIgnored(paths) {
        ignored = paths;
      },
    });
    if (ignored.length > 0) http.header("x-service-ignored", ignoredHeader(ignored));
    if (isStreamed(answer)) return streamedResponse(answer);
    if (operation.procedure) return negotiatedAnswer(http, operation.procedure, answer);
    return isApiError(answer) ? apiErrorAnswer(http, answer) : apiAnswer(http, answer);
  };
}

function queryOf(http: Http, { repeatedQuery = [] }: Operation): Record<string, string | string[]> {
  const lists = repeatedQuery.map((name) => [name, http.req.queries(name) ?? []] as const);
  return { ...http.req.query(), ...Object.fromEntries(lists) };
}

/** Responds in JSON, or in protocol buffers if the client accepts them. */
function negotiatedAnswer(http: Http, procedure: Procedure, answer: object | ApiError): Response {
  const media = negotiateMedia(http.req.header("accept"));
  if (media !== "application/json") {
    const init = { status: isApiError(answer) ? statusOf(answer) : 200, headers: { "cache-control": "no-store" } };
    return grpcAnswer(http, procedure, media, answer, init);
  }
  const response = apiAnswer(http, answer);
  response.headers.append("vary", "accept");
  return response;
}
