/**
 * REST answers as protocol buffers, for clients whose Accept header names a gRPC media type (contract: Media types):
 * one length-prefixed message, and the gRPC status in the last frame (gRPC-Web) or in the trailers. The HTTP status is
 * that of the JSON answer.
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Http } from "../env";
import type { TextOperation } from "../texts/operations";
import type { TextAnswer } from "../texts/perform";
import { answerFields, connectError } from "./messages";
import { procedureOf } from "./services";

export type MediaType = "application/json" | "application/grpc-web+proto" | "application/grpc";

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

/** @param init status and headers of the JSON answer */
export function grpcAnswer(
  http: Http,
  operation: TextOperation,
  media: Exclude<MediaType, "application/json">,
  answer: TextAnswer | ApiError,
  init: { status: number; headers: Record<string, string> },
): Response {
  const trailers = new Headers();
  setTrailerStatus(trailers, isApiError(answer) ? connectError(answer) : undefined);
  const { output } = procedureOf(operation);
  const message = Buffer.from(
    isApiError(answer) ? "" : encodeEnvelope(0, toBinary(output, create(output, { ...answerFields(answer) }))),
  );
  const headers: Record<string, string> = { ...init.headers, "content-type": media, vary: "accept" };
  if (media === "application/grpc-web+proto") {
    const end = encodeEnvelope(trailerFlag, trailerSerialize(trailers));
    return http.body(Buffer.concat([message, end]), init.status as 200, headers);
  }
  const { incoming, outgoing } = http.env ?? {};
  if (incoming && outgoing && incoming.method !== "HEAD") {
    headers.trailer = [...trailers.keys()].join(", ");
    // In HTTP/1.1 trailers follow chunks and nothing else (RFC 9112 §7.1.2); HTTP/2 knows no such header.
    if (incoming.httpVersionMajor === 1) headers["transfer-encoding"] = "chunked";
    outgoing.addTrailers(Object.fromEntries(trailers));
    return http.body(new Blob([message]).stream(), init.status as 200, headers); // a stream has no length
  }
  // Next cannot send trailers: the status goes into the headers, as in gRPC responses without a message.
  Object.assign(headers, Object.fromEntries(trailers));
  return http.body(message, init.status as 200, headers);
}
