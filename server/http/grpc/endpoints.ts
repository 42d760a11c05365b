/**
 * Where remote procedures are answered. Connect and gRPC-Web are ordinary POST requests and routes of the application;
 * gRPC needs HTTP/2 with trailers, which only our own server has.
 */
import type { RequestListener } from "node:http";
import { Code, ConnectError, type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import {
  type Compression,
  type UniversalHandler,
  universalServerRequestFromFetch,
  universalServerResponseToFetch,
} from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import type { Context } from "../../context";
import type { Http } from "../env";
import type { Readiness } from "../health";
import type { Methods, Routes } from "../routes";
import { healthProcedures } from "./health";
import { requestIdKey, textProcedures } from "./services";

/** Bytes; a whole text in the widest encoding fits. */
export const LARGEST_TEXT = 256 * 1024;

/** What cannot be decompressed is the caller's mistake; the library knows that of some damages only. */
function strict(compression: Compression): Compression {
  return {
    ...compression,
    decompress: (bytes, readMaxBytes) =>
      compression.decompress(bytes, readMaxBytes).catch((error: unknown) => {
        const { code, rawMessage } = ConnectError.from(error);
        throw new ConnectError(rawMessage, code === Code.Internal ? Code.InvalidArgument : code);
      }),
  };
}

const acceptCompression = [strict(compressionGzip), strict(compressionBrotli)];
const options = { readMaxBytes: LARGEST_TEXT, acceptCompression };

/** Every procedure there is, for a router of whichever protocols. */
function procedures(ctx: Context, readiness: Readiness): (router: ConnectRouter) => void {
  return (router) => {
    textProcedures(ctx)(router);
    healthProcedures(ctx, readiness)(router);
  };
}

/** `POST /{package}.{Service}/{Method}`, Connect and gRPC-Web. */
export function procedureRoutes(ctx: Context, readiness: Readiness): Routes {
  const router = createConnectRouter({ ...options, grpc: false });
  procedures(ctx, readiness)(router);
  const routes = router.handlers.map((handler): [string, Methods] => [
    handler.requestPath,
    { POST: (_, http) => procedureAnswer(handler, http) },
  ]);
  return Object.fromEntries(routes);
}

async function procedureAnswer(handler: UniversalHandler, http: Http): Promise<Response> {
  const request = universalServerRequestFromFetch(http.req.raw, { httpVersion: "1.1" });
  const contextValues = createContextValues().set(requestIdKey, http.get("requestId"));
  const answer = universalServerResponseToFetch(await handler({ ...request, contextValues }));
  const headers = { ...Object.fromEntries(answer.headers), "cache-control": "no-store" };
  const misread = answer.status === 500 ? await misreadMessage(answer.clone()) : undefined;
  return misread ? http.json(misread, 400, headers) : http.newResponse(answer.body, answer.status as 200, headers);
}

/**
 * The library takes bytes that are no message for a failure of its own: `internal` and, in Connect, 500. It is the
 * caller's mistake, and nobody is to be woken for it (contract §7). gRPC and gRPC-Web keep the code that gRPC has for it.
 */
async function misreadMessage(answer: Response): Promise<object | undefined> {
  const error = (await answer.json().catch(() => ({}))) as { message?: string };
  return error.message?.startsWith("parse binary: ") ? { ...error, code: "invalid_argument" } : undefined;
}

/** gRPC over HTTP/2; which requests those are is known in lanes.ts. */
export function grpcListener(ctx: Context, readiness: Readiness): RequestListener {
  const routes = procedures(ctx, readiness);
  const adapter = connectNodeAdapter({ ...options, connect: false, grpcWeb: false, routes });
  return (request, response) => adapter(request, response);
}
