/**
 * Where remote procedures are answered. Connect and gRPC-Web are ordinary POST requests and routes of the application;
 * gRPC needs HTTP/2 with trailers, which only our own server has.
 */
import type { RequestListener } from "node:http";
import { type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import {
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

const options = { readMaxBytes: LARGEST_TEXT, acceptCompression: [compressionGzip, compressionBrotli] };

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
  const { status, headers, body } = universalServerResponseToFetch(await handler({ ...request, contextValues }));
  return http.newResponse(body, status as 200, { ...Object.fromEntries(headers), "cache-control": "no-store" });
}

/** gRPC over HTTP/2; which requests those are is known in lanes.ts. */
export function grpcListener(ctx: Context, readiness: Readiness): RequestListener {
  const routes = procedures(ctx, readiness);
  const adapter = connectNodeAdapter({ ...options, connect: false, grpcWeb: false, routes });
  return (request, response) => adapter(request, response);
}
