/**
 * REST answers as protocol buffers, for clients whose Accept header names a gRPC media type (rule GRPC-1):
 * one length-prefixed message, and the gRPC status in the last frame (gRPC-Web) or in the trailers. The HTTP status is
 * that of the JSON answer.
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import { callersLanguage } from "../../http/api-errors";
import type { Http } from "../../http/env";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Procedure } from "../operation/procedure";
import { connectError } from "./errors";
import { methodOf } from "./services";

type GrpcMediaType = "application/grpc-web+proto" | "application/grpc";
export type MediaType = "application/json" | GrpcMediaType;

const MEDIA_TYPES: Readonly<Record<string, MediaType>> = {
  "application/grpc-web+proto": "application/grpc-web+proto",
  "application/grpc-web": "application/grpc-web+proto",
  "application/grpc+proto": "application/grpc",
  "application/grpc": "application/grpc",
  "application/json": "application/json",
};

/** The media type a client wants most (RFC 9110 §12.5.1); JSON where it names none of ours. */
export function negotiateMedia(accept: string | undefined): MediaType {
  let best: MediaType = "application/json";
  let weight = 0;
  for (const range of (accept ?? "").slice(0, 1_000).split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const media = type === "*/*" || type === "application/*" ? "application/json" : MEDIA_TYPES[type];
    const quality = Number(parameters.find((parameter) => /^q=[\d.]+$/.test(parameter))?.slice(2) ?? 1);
    if (media && quality > weight) [best, weight] = [media, quality];
  }
  return best;
}

export interface Init {
  status: number;
  headers: Record<string, string>;
}

/** @param init status and headers of the JSON answer */
export function grpcAnswer(
  http: Http,
  procedure: Procedure,
  media: GrpcMediaType,
  answer: object | ApiError,
  init: Init,
): Response {
  if (isApiError(answer)) return framed(http, media, "", answer, init);
  const { output } = methodOf(procedure);
  const message = toBinary(output, create(output, procedure.answer(answer)));
  return framed(http, media, encodeEnvelope(0, message), undefined, init);
}

/** @param message the message in its envelope, or empty */
export function framed(
  http: Http,
  media: GrpcMediaType,
  message: Uint8Array<ArrayBuffer> | "",
  error: ApiError | undefined,
  init: Init,
): Response {
  const trailers = new Headers();
  setTrailerStatus(trailers, error && connectError(error, callersLanguage(http)));
  const headers: Record<string, string> = { ...init.headers, "content-type": media, vary: "accept" };
  const body = Buffer.from(message);
  if (media === "application/grpc-web+proto") {
    const end = encodeEnvelope(trailerFlag, trailerSerialize(trailers));
    return http.body(Buffer.concat([body, end]), init.status as 200, headers);
  }
  const { incoming, outgoing } = http.env ?? {};
  if (message !== "" && incoming && outgoing && incoming.method !== "HEAD") {
    headers.trailer = [...trailers.keys()].join(", ");
    // In HTTP/1.1 trailers follow chunks and nothing else (RFC 9112 §7.1.2); HTTP/2 knows no such header.
    if (incoming.httpVersionMajor === 1) headers["transfer-encoding"] = "chunked";
    outgoing.addTrailers(Object.fromEntries(trailers));
    return http.body(new Blob([body]).stream(), init.status as 200, headers); // as a stream, so that there is no content-length
  }
  // Without a message the status is in the headers ("Trailers-Only" of the gRPC protocol), where REST clients can
  // read it, who never see trailers; so it does under Next, which cannot send any.
  Object.assign(headers, Object.fromEntries(trailers));
  return http.body(body, init.status as 200, headers);
}
