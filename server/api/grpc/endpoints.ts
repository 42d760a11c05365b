/**
 * Answers remote procedures. Connect and gRPC-Web are ordinary POST requests and thus routes of the application; gRPC
 * needs HTTP/2 with trailers, which only our own server provides.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { certificateOfConnection, clientCertificateOf } from "../../http/client-certificate";
import type { Http } from "../../http/env";
import { clientAddress, clientAddressOf } from "../../http/request";
import type { Methods, Routes } from "../../http/routes";
import { unimplemented } from "../../protocol/api-error";
import type { Readiness } from "../../readiness";
import { healthProcedures } from "./health";
import { operationProcedures } from "./procedures";
import { type MoreServices, reflectionProcedures, refusedReflection, textServices } from "./reflection";
import { answerCall, type ProcedureTable, type RefusedCall, type UnaryProcedure } from "./unary";
import { type EncodedAnswer, formatOf, MAX_MESSAGE_BYTES } from "./wire";

const ENVELOPE_BYTES = 5;

/** Health and reflection, by Connect and gRPC-Web. */
export function procedureRoutes(ctx: Context, readiness: Readiness, more?: readonly MoreServices[]): Routes {
  const all: ProcedureTable = new Map([...healthProcedures(ctx, readiness, more), ...refusedReflection]);
  const routes = [...all].map(([path, procedure]): [string, Methods] => {
    return [path, { POST: (_, http) => postedAnswer(ctx, procedure, http) }];
  });
  return Object.fromEntries(routes);
}

/** Answers a POST request by Connect or gRPC-Web. */
export async function postedAnswer(
  ctx: Context,
  procedure: UnaryProcedure | RefusedCall,
  http: Http,
): Promise<Response> {
  const { req } = http;
  const metadata = (name: string) => req.header(name);
  const format = formatOf(metadata("content-type"));
  const isStream = format?.protocol === "connect-stream" && "perform" in procedure;
  if (!format || format.protocol === "grpc" || isStream) return http.body(null, 415);
  const call = {
    path: req.path,
    metadata,
    requestId: http.get("requestId") ?? newId(),
    certificate: clientCertificateOf(ctx, http),
    address: clientAddress(ctx, http),
    signal: req.raw.signal,
    headers: { "cache-control": "no-store" },
  };
  const sent = new Uint8Array(await req.arrayBuffer());
  const { status, headers, body } = await answerCall(ctx, procedure, format, call, sent);
  return http.body(body, status as 200, headers);
}

/**
 * gRPC over HTTP/2; request-listener.ts recognizes its requests.
 * @param more the services that reflection describes
 */
export function grpcListener(
  ctx: Context,
  readiness: Readiness,
  more: readonly MoreServices[] = [textServices],
): RequestListener {
  const procedures: ProcedureTable = new Map([...operationProcedures(ctx), ...healthProcedures(ctx, readiness, more)]);
  const fallback = (request: object, response: object) =>
    void answerGrpc(ctx, NOT_FOUND, request as IncomingMessage, response as ServerResponse);
  const reflection = connectNodeAdapter({
    connect: false,
    grpcWeb: false,
    routes: (router) => reflectionProcedures(router, more),
    fallback,
  });
  return (request, response) => {
    const procedure = procedures.get(request.url ?? "");
    if (procedure) void answerGrpc(ctx, procedure, request, response);
    else void reflection(request, response);
  };
}

const NOT_FOUND = unimplemented(
  "address.not_found",
  "This procedure does not exist. Check the names of the service and the method.",
);

/** Answers a request by gRPC. A client that has gone gets no answer; what it began is finished. */
export async function answerGrpc(
  ctx: Context,
  procedure: UnaryProcedure | RefusedCall,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const metadata = (name: string) => request.headers[name]?.toString();
  const format = formatOf(metadata("content-type"));
  if (request.method !== "POST" || format?.protocol !== "grpc") {
    response.statusCode = format ? 405 : 415;
    return void response.end();
  }
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) gone.abort();
  });
  const call = {
    path: request.url ?? "",
    metadata,
    requestId: newId(),
    certificate: certificateOfConnection(ctx, request.socket, metadata),
    address: clientAddressOf(ctx, request),
    signal: gone.signal,
    headers: {},
  };
  const body = "perform" in procedure ? await bodyOf(request) : undefined;
  if (gone.signal.aborted) return;
  const answer = await answerCall(ctx, procedure, format, call, body);
  if (!gone.signal.aborted) sendOverHttp2(answer, request, response);
}

/** Returns the body; undefined if it is larger than any message. */
function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_MESSAGE_BYTES + ENVELOPE_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("close", () => resolve(Buffer.concat(chunks)));
  });
}

function sendOverHttp2(answer: EncodedAnswer, request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body, trailers } = answer;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (trailers) response.addTrailers(trailers);
  response.end(body.length > 0 ? body : undefined);
  // The rest of a request that is answered is not needed (RFC 9113 §8.1).
  const { stream } = response as unknown as { stream?: ServerHttp2Stream };
  if (!request.complete && stream) response.once("finish", () => stream.close(constants.NGHTTP2_NO_ERROR));
}
