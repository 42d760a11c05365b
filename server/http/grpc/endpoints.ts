/**
 * Where remote procedures are answered. Connect and gRPC-Web are ordinary POST requests and routes of the application;
 * gRPC needs HTTP/2 with trailers, which only our own server has.
 */
import type { RequestListener } from "node:http";
import { createConnectRouter } from "@connectrpc/connect";
import { createFetchHandler } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import type { Context } from "../../context";
import type { Methods, Routes } from "../routes";
import { textProcedures } from "./services";

/** Bytes; a whole text in the widest encoding fits. */
export const LARGEST_TEXT = 256 * 1024;

const options = { readMaxBytes: LARGEST_TEXT, acceptCompression: [compressionGzip, compressionBrotli] };

/** `POST /{package}.{Service}/{Method}`, Connect and gRPC-Web. */
export function procedureRoutes(ctx: Context): Routes {
  const router = createConnectRouter({ ...options, grpc: false });
  textProcedures(ctx)(router);
  const routes = router.handlers.map((handler): [string, Methods] => {
    const answer = createFetchHandler(handler, { httpVersion: "1.1" });
    return [handler.requestPath, { POST: (_, http) => answer(http.req.raw) }];
  });
  return Object.fromEntries(routes);
}

/** gRPC over HTTP/2; which requests those are is known in lanes.ts. */
export function grpcListener(ctx: Context): RequestListener {
  const adapter = connectNodeAdapter({ ...options, connect: false, grpcWeb: false, routes: textProcedures(ctx) });
  return (request, response) => adapter(request, response);
}
