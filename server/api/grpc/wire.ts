/**
 * The wire formats of remote procedures with one message each way: Connect, gRPC-Web (binary and in base64) and gRPC.
 * A body is read and written as a whole: the server of the library streams it through a dozen transforms, which costs
 * more processor time than the operations themselves.
 */
import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Compression, encodeEnvelope } from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  parseTimeout as connectTimeout,
  endStreamFlag,
  errorToJson,
} from "@connectrpc/connect/protocol-connect";
import { parseTimeout as grpcTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import { inSlices } from "../../concurrency/pauses";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { flawRefusal, jsonFlaws } from "../../protocol/json-flaws";
import { bytesOf, JsonMessage, messageJson } from "./json-message";

/** Bytes: enough for the longest text in the widest encoding. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

/** Returns a header of the request by its name in lower case. */
export type Metadata = (name: string) => string | undefined;

type Protocol = "connect" | "connect-stream" | "grpc-web" | "grpc";

/** How a client writes messages, and wants them. */
export interface Format {
  protocol: Protocol;
  isJson: boolean;
  /** In base64, as the older JavaScript clients of gRPC-Web send it. */
  isText: boolean;
}

export interface EncodedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  /** Sent after the body, by gRPC. */
  trailers?: Record<string, string>;
}

const TYPE = /^application\/(?:(grpc-web-text|grpc-web|grpc)(?:\+(proto|json))?|(connect\+)?(proto|json))\s*(?:;|$)/i;

/** Returns the format of a media type; undefined for others. */
export function formatOf(contentType: string | undefined): Format | undefined {
  const found = TYPE.exec(contentType ?? "");
  if (!found) return undefined;
  const [, framed, codec, stream, bare] = found.map((part) => part?.toLowerCase());
  const isJson = (codec ?? bare) === "json";
  if (framed === undefined) return { protocol: stream ? "connect-stream" : "connect", isJson, isText: false };
  return { protocol: framed === "grpc" ? "grpc" : "grpc-web", isJson, isText: framed === "grpc-web-text" };
}

const COMPRESSIONS = new Map([compressionGzip, compressionBrotli].map((one) => [one.name, one]));

/** Returns the milliseconds until the client's deadline; undefined without one. */
export function timeLeft({ protocol }: Format, metadata: Metadata): number | undefined | ConnectError {
  const isConnect = protocol === "connect";
  const value = metadata(isConnect ? "connect-timeout-ms" : "grpc-timeout") ?? null;
  const { timeoutMs, error } = (isConnect ? connectTimeout : grpcTimeout)(value, Number.POSITIVE_INFINITY);
  return error ?? timeoutMs;
}

/** Reads the one message of a body. @returns an ApiError for what is no message, a ConnectError for other failures */
export async function readMessage(
  format: Format,
  metadata: Metadata,
  type: DescMessage,
  body: Uint8Array,
): Promise<Message | ConnectError | ApiError> {
  const { protocol, isJson } = format;
  const encoding = metadata(protocol === "connect" ? "content-encoding" : "grpc-encoding") ?? "identity";
  const compression = COMPRESSIONS.get(encoding);
  if (!compression && encoding !== "identity") {
    const known = [...COMPRESSIONS.keys()].join(", ");
    return new ConnectError(`unknown compression "${encoding}": supported encodings are ${known}`, Code.Unimplemented);
  }
  const sent = protocol === "connect" ? { bytes: body, isCompressed: true } : opened(format, body);
  if (!("bytes" in sent)) return sent;
  if (sent.isCompressed && !compression && protocol !== "connect")
    return malformed("no grpc-encoding is named", isJson);
  const bytes = sent.isCompressed && compression ? await decompressed(compression, sent.bytes, isJson) : sent.bytes;
  if (!(bytes instanceof Uint8Array)) return bytes;
  try {
    if (!isJson) return fromBinary(type, bytes, { readUnknownFields: false });
    // As REST reads it (http/api-errors.ts).
    const json = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const flaw = await inSlices(jsonFlaws(json));
    const value = flaw === "too-deep" ? null : (JSON.parse(json) as JsonValue);
    return flaw ? flawRefusal(flaw) : fromJson(type, value, { ignoreUnknownFields: true });
  } catch (error) {
    return malformed((error as Error).message, isJson);
  }
}

/** Opens the envelope of the one message: a byte of flags, and its length in four bytes. */
function opened({ isJson, isText }: Format, body: Uint8Array) {
  const bytes = isText
    ? fromText(Buffer.from(body).toString("latin1"))
    : Buffer.from(body.buffer, body.byteOffset, body.length);
  if (bytes.length < 5) return malformed("the envelope ends too early", isJson);
  const [flags = 0, length] = [bytes[0], bytes.readUInt32BE(1)];
  if (length > MAX_MESSAGE_BYTES) return messageTooLarge();
  if (bytes.length < 5 + length) return malformed("the message ends too early", isJson);
  if (bytes.length > 5 + length) return malformed("more than one message was sent", isJson);
  if (flags > 1) return malformed("the flags of the envelope are unknown", isJson);
  return { bytes: bytes.subarray(5), isCompressed: flags === 1 };
}

/**
 * Several pieces may follow each other, each with padding of its own ("message frames … base64 encoded individually").
 * What is not base64 has no message.
 */
function fromText(body: string): Buffer {
  const text = body.replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/=]*$/.test(text)) return Buffer.alloc(0);
  return Buffer.concat(text.split(/(?<==)(?=[A-Za-z0-9+/])/).map((piece) => Buffer.from(piece, "base64")));
}

const decompressed = (compression: Compression, bytes: Uint8Array, isJson: boolean) =>
  compression.decompress(new Uint8Array(bytes), MAX_MESSAGE_BYTES).catch((error: unknown) => {
    const { code, rawMessage } = ConnectError.from(error);
    return code === Code.ResourceExhausted ? messageTooLarge() : malformed(rawMessage, isJson);
  });

export const messageTooLarge = (): ConnectError =>
  new ConnectError(`A message has at most ${MAX_MESSAGE_BYTES} bytes.`, Code.ResourceExhausted);

/** @param why in the library's words, of which one line tells enough */
export function malformed(why: string, isJson: boolean): ApiError {
  const [line = ""] = why.split("\n", 1);
  const wanted = isJson ? "Send one well-formed message in JSON" : "Send one well-formed message in protocol buffers";
  return invalidArgument("request.malformed", `${wanted} as the body (${[...line].slice(0, 200).join("")}).`);
}

export function encodeMessage(format: Format, type: DescMessage, message: Message | JsonMessage): EncodedAnswer {
  const bytes = format.isJson ? Buffer.from(JSON.stringify(jsonOfAnswer(type, message))) : binary(type, message);
  const headers = { "content-type": typeOf(format) };
  if (format.protocol === "connect") return { status: 200, headers, body: bytes };
  const envelope = encodeEnvelope(0, bytes);
  if (format.protocol === "grpc") return { status: 200, headers, body: envelope, trailers: { "grpc-status": "0" } };
  const end = encodeEnvelope(trailerFlag, trailerSerialize(new Headers({ "grpc-status": "0" })));
  return { status: 200, headers, body: inText(format, Buffer.concat([envelope, end])) };
}

/** The JSON of what a procedure answers. */
export const jsonOfAnswer = (type: DescMessage, message: Message | JsonMessage): object =>
  message instanceof JsonMessage ? messageJson(type, message.json) : (toJson(type, message) as object);

const binary = (type: DescMessage, message: Message | JsonMessage): Uint8Array<ArrayBuffer> =>
  message instanceof JsonMessage ? bytesOf(type, message.json) : toBinary(type, message);

export function encodeError(format: Format, error: ConnectError): EncodedAnswer {
  const headers: Record<string, string> = { "content-type": typeOf(format) };
  if (format.protocol === "connect") {
    Object.assign(headers, Object.fromEntries(error.metadata), { "content-type": "application/json" });
    const body = Buffer.from(JSON.stringify(errorToJson(error, undefined)));
    return { status: codeToHttpStatus(error.code), headers, body };
  }
  if (format.protocol === "connect-stream") {
    const end = Buffer.from(JSON.stringify({ error: errorToJson(error, undefined) }));
    return { status: 200, headers, body: encodeEnvelope(endStreamFlag, end) };
  }
  const trailers = new Headers();
  setTrailerStatus(trailers, error);
  if (format.protocol === "grpc-web") {
    const end = Buffer.from(encodeEnvelope(trailerFlag, trailerSerialize(trailers)));
    return { status: 200, headers, body: inText(format, end) };
  }
  // Without a message the status is among the headers ("Trailers-Only"): some clients look nowhere else.
  return { status: 200, headers: { ...headers, ...Object.fromEntries(trailers) }, body: new Uint8Array() };
}

function typeOf({ protocol, isJson, isText }: Format): string {
  const codec = isJson ? "json" : "proto";
  if (protocol === "connect") return `application/${codec}`;
  const name = protocol === "connect-stream" ? "connect" : protocol;
  return `application/${name}${isText ? "-text" : ""}+${codec}`;
}

const inText = ({ isText }: Format, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> =>
  isText ? Buffer.from(bytes.toString("base64")) : bytes;
