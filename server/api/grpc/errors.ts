/** Errors as gRPC has them (rule GRPC-1), in the caller's language as those of REST (rule API-16). */
import { create } from "@bufbuild/protobuf";
import { type Code, ConnectError } from "@connectrpc/connect";
import { localizedBody } from "../../http/refusal-texts";
import type { ApiError } from "../../protocol/api-error";
import { ErrorDetailSchema } from "./generated/service/v1/error_pb";

/**
 * Connect uses gRPC's code numbers.
 * @param language the caller's, one that there is
 * @param metadata headers of Connect, trailers of gRPC
 */
export function connectError(error: ApiError, language: string, metadata?: Record<string, string>): ConnectError {
  const { code, message, details } = localizedBody(error, language);
  const detail = details.map(({ "@type": _, ...fields }) => ({
    desc: ErrorDetailSchema,
    value: create(ErrorDetailSchema, fields),
  }));
  return new ConnectError(message, code as number as Code, metadata, detail);
}
