/**
 * Handles procedure requests whose body is not a message of the procedure. The transport library responds with its own
 * texts, in part with server errors (INTERNAL, UNIMPLEMENTED), although they are client errors (rule SERVE-4). Here
 * they are rejected like other invalid requests: after authentication and authorization, with our detail (rule GRPC-1).
 */
import { Code, ConnectError, createContextKey, createContextValues, type Interceptor } from "@connectrpc/connect";
import {
  createAsyncIterable,
  encodeEnvelope,
  readAllBytes,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import type { Context } from "../../context";
import { readersLanguage } from "../../http/api-errors";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { flawRefusal, JSON_FLAWS, jsonFlaws } from "../../protocol/json-flaws";
import type { Operation } from "../operation/operation";
import { connectError } from "./errors";
import { ErrorDetailSchema } from "./generated/service/v1/error_pb";
import { callerRefusal, challengingError } from "./procedures";

/** The state of reading one request. */
interface Reading {
  /** Its message was read. */
  isRead: boolean;
  /** What to answer in place of performing the procedure. */
  refusal?: ConnectError;
}
const readingKey = createContextKey<Reading | undefined>(undefined);

/** The interceptor of every procedure: it runs only if the message could be read. */
export const noteReading: Interceptor = (next) => async (request) => {
  const reading = request.contextValues.get(readingKey);
  if (reading?.refusal) throw reading.refusal;
  if (reading) reading.isRead = true;
  return next(request);
};

/** Reads JSON in the library as REST does (http/api-errors.ts): strict UTF-8, and without flaws. */
export const strictJson = {
  ignoreUnknownFields: true,
  textDecoder: {
    decode(bytes?: Uint8Array): string {
      const json = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      // Without the pauses, for which the library has no place: a message is at most MAX_MESSAGE_BYTES long.
      const steps = jsonFlaws(json);
      let step = steps.next();
      while (!step.done) step = steps.next();
      if (step.value) throw connectError(flawRefusal(step.value), "en"); // who reads it is known to refusingUnread
      return json;
    },
  },
};

/** Returns the operation behind the procedure at a path, or undefined. */
export type OperationAt = (path: string) => Operation | undefined;

/** Wraps a handler so that an unreadable body gives our error. */
export function refusingUnread(ctx: Context, handler: UniversalHandler, operationAt: OperationAt): UniversalHandler {
  if (handler.method.methodKind !== "unary") return handler;
  const { protocolNames, supportedContentType, allowedMethods, requestPath, service, method } = handler;
  const handle = async (request: UniversalServerRequest): Promise<UniversalServerResponse> => {
    const contextValues = request.contextValues ?? createContextValues();
    const reading: Reading = { isRead: false };
    contextValues.set(readingKey, reading);
    const answer = await handler({ ...request, contextValues });
    if (reading.isRead) return answer;
    const { body, error } = await readFailure(answer);
    const mistake = error && unreadRefusal(error, isJson(request.header));
    if (!mistake) return { ...answer, body };
    const operation = operationAt(requestPath);
    const refusal = await callerRefusal(ctx, operation, requestPath, request.header, contextValues);
    const { header } = request;
    const language = readersLanguage(header.get("accept-language") ?? undefined);
    reading.refusal = await challengingError(ctx, operation, refusal ?? mistake, { language, header });
    // Once more with a message that can be read, so that the library puts the refusal in the words of its protocol.
    return handler({ ...emptyMessage(request), contextValues });
  };
  return Object.assign(handle, { protocolNames, supportedContentType, allowedMethods, requestPath, service, method });
}

/** The failure that an answer is about, and its body to be read again. */
async function readFailure(answer: UniversalServerResponse): Promise<{
  body: UniversalServerResponse["body"];
  error?: ConnectError;
}> {
  if (answer.body === undefined) return { body: answer.body };
  // Nothing was performed, so it is a refusal of a few bytes.
  const bytes = await readAllBytes(answer.body, Number.MAX_SAFE_INTEGER);
  const body = bytes.length > 0 ? createAsyncIterable([bytes]) : createAsyncIterable<Uint8Array<ArrayBuffer>>([]);
  const type = answer.header?.get("content-type") ?? "";
  if (type.startsWith("application/grpc-web")) {
    const trailers = bytes[0] === trailerFlag ? trailerParse(bytes.subarray(5)) : undefined;
    return { body, error: trailers && findTrailerError(trailers) };
  }
  if (answer.trailer?.has("grpc-status")) return { body, error: findTrailerError(answer.trailer) };
  if (answer.status < 400 || !type.startsWith("application/json")) return { body };
  return { body, error: errorFromJsonBytes(bytes, undefined, new ConnectError("", Code.Unknown)) };
}

/** Undefined for what is no mistake in the body: unknown compression, too many bytes, too little time. */
function unreadRefusal(error: ConnectError, json: boolean): ApiError | undefined {
  const { code, rawMessage } = error;
  const [detail] = error.findDetails(ErrorDetailSchema);
  if (detail) return JSON_FLAWS.map(flawRefusal).find(({ id }) => id === detail.id);
  const isMistake =
    code === Code.InvalidArgument ||
    (code === Code.Internal && rawMessage !== "internal error") ||
    (code === Code.Unimplemented && rawMessage.startsWith("protocol error: "));
  return isMistake ? malformed(rawMessage, json) : undefined;
}

/** @param why in the library's words, of which one line tells enough */
function malformed(why: string, json: boolean): ApiError {
  const [line = ""] = why.split("\n", 1);
  const wanted = json ? "Send one well-formed message in JSON" : "Send one well-formed message in protocol buffers";
  return invalidArgument("request.malformed", `${wanted} as the body (${[...line].slice(0, 200).join("")}).`);
}

const isJson = (header: Headers) => /[/+]json/i.test(header.get("content-type") ?? "");

/** What describes the body that was sent. */
const OF_THE_BODY = [
  "content-encoding",
  "content-length",
  "connect-content-encoding",
  "connect-timeout-ms",
  "grpc-encoding",
  "grpc-timeout",
];

function emptyMessage(request: UniversalServerRequest): UniversalServerRequest {
  const header = new Headers(request.header);
  for (const name of OF_THE_BODY) header.delete(name);
  const message = new TextEncoder().encode(isJson(header) ? "{}" : "");
  const isFramed = /^application\/grpc/i.test(header.get("content-type") ?? "");
  return { ...request, header, body: createAsyncIterable([isFramed ? encodeEnvelope(0, message) : message]) };
}
