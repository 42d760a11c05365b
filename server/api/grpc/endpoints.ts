/**
 * Answers remote procedures. Connect and gRPC-Web are ordinary POST requests and thus routes of the application; gRPC
 * needs HTTP/2 with trailers, which only our own server provides.
 */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { Code, ConnectError, type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import {
  type Compression,
  type UniversalHandler,
  universalServerRequestFromFetch,
  universalServerResponseToFetch,
} from "@connectrpc/connect/protocol";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { compressionBrotli, compressionGzip, connectNodeAdapter } from "@connectrpc/connect-node";
import type { Context } from "../../context";
import { readersLanguage } from "../../http/api-errors";
import { certificateOfConnection, clientCertificateOf } from "../../http/client-certificate";
import type { Http } from "../../http/env";
import type { Methods, Routes } from "../../http/routes";
import { type ApiError, unimplemented } from "../../protocol/api-error";
import type { Readiness } from "../../readiness";
import { connectError } from "./errors";
import { binaryRequest, isGrpcWebText, textResponse } from "./grpc-web-text";
import { healthProcedures } from "./health";
import { certificateKey, operationProcedures, ownOperationAt, requestIdKey } from "./procedures";
import { reflectionProcedures, refusedReflection } from "./reflection";
import { noteReading, refusingUnread, strictJson } from "./unread";

/** Bytes: enough for the longest text in the widest encoding. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

/** Data that cannot be decompressed is the caller's mistake, which the library recognizes only in some cases. */
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
export const procedureOptions = {
  readMaxBytes: MAX_MESSAGE_BYTES,
  acceptCompression,
  jsonOptions: strictJson,
  interceptors: [noteReading],
};

/** All procedures that a router of any protocol can have. */
function procedures(ctx: Context, readiness: Readiness): (router: ConnectRouter) => void {
  return (router) => {
    operationProcedures(ctx)(router);
    healthProcedures(ctx, readiness)(router);
  };
}

/** `POST /{package}.{Service}/{Method}`, Connect and gRPC-Web. */
export function procedureRoutes(ctx: Context, readiness: Readiness): Routes {
  const router = createConnectRouter({ ...procedureOptions, grpc: false });
  procedures(ctx, readiness)(router);
  refusedReflection(router);
  const routes = router.handlers.map((each): [string, Methods] => {
    const handler = refusingUnread(ctx, each, ownOperationAt);
    return [handler.requestPath, { POST: (_, http) => postedAnswer(ctx, handler, http) }];
  });
  return Object.fromEntries(routes);
}

/** Answers a POST request by Connect or gRPC-Web. */
export async function postedAnswer(ctx: Context, handler: UniversalHandler, http: Http): Promise<Response> {
  const { raw } = http.req;
  if (!isGrpcWebText(raw.headers.get("content-type"))) return procedureAnswer(ctx, handler, http, raw);
  return textResponse(await procedureAnswer(ctx, handler, http, await binaryRequest(raw)));
}

async function procedureAnswer(ctx: Context, handler: UniversalHandler, http: Http, sent: Request): Promise<Response> {
  // Of a stream in both directions the library would refuse HTTP/1.1 without a word; see refusedReflection.
  const httpVersion = handler.method.methodKind === "bidi_streaming" ? "2.0" : "1.1";
  const request = universalServerRequestFromFetch(sent, { httpVersion });
  const contextValues = createContextValues()
    .set(requestIdKey, http.get("requestId"))
    .set(certificateKey, clientCertificateOf(ctx, http));
  const answer = universalServerResponseToFetch(await handler({ ...request, contextValues }));
  const headers = { ...Object.fromEntries(answer.headers), "cache-control": "no-store" };
  return http.newResponse(answer.body, answer.status as 200, headers);
}

/** The options of an adapter for gRPC alone, whose procedures get the certificate of the connection. */
export function grpcOptions(ctx: Context) {
  const contextValues = ({ socket, headers }: IncomingMessage | Http2ServerRequest) =>
    createContextValues().set(
      certificateKey,
      certificateOfConnection(ctx, socket, (name) => headers[name]?.toString()),
    );
  return { ...procedureOptions, connect: false, grpcWeb: false, contextValues };
}

/** gRPC over HTTP/2; direct-lane.ts recognizes its requests. */
export function grpcListener(ctx: Context, readiness: Readiness): RequestListener {
  const routes = (router: ConnectRouter) => {
    procedures(ctx, readiness)(router);
    reflectionProcedures(router);
    // The adapter takes the handlers from this list.
    router.handlers.splice(0, Infinity, ...router.handlers.map((one) => refusingUnread(ctx, one, ownOperationAt)));
  };
  const adapter = connectNodeAdapter({ ...grpcOptions(ctx), routes, fallback });
  return (request, response) => void adapter(request, response);
}

type Fallback = NonNullable<Parameters<typeof connectNodeAdapter>[0]["fallback"]>;

/** gRPC's answer to whatever is no procedure: a status among the headers, since there is no message. */
export const answerWith =
  (error: ApiError): Fallback =>
  ({ headers }, response) => {
    const trailers = new Headers();
    setTrailerStatus(trailers, connectError(error, readersLanguage(headers["accept-language"])));
    for (const [name, value] of trailers) response.setHeader(name, value);
    response.setHeader("content-type", "application/grpc");
    response.statusCode = 200;
    response.end(); // headers and end as one: some clients look for the status nowhere else
  };

const fallback = answerWith(
  unimplemented("address.not_found", "This procedure does not exist. Check the names of the service and the method."),
);
