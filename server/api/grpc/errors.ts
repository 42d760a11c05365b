/** Errors as gRPC has them (rule GRPC-1). */
import { create } from "@bufbuild/protobuf";
import { type Code, ConnectError } from "@connectrpc/connect";
import { type ApiError, apiErrorBody } from "../../protocol/api-error";
import { ErrorDetailSchema } from "./generated/service/v1/error_pb";

/** Connect uses gRPC's code numbers. */
export function connectError(error: ApiError, headers?: Record<string, string>): ConnectError {
  const { code, message, details } = apiErrorBody(error);
  const detail = details.map(({ "@type": _, ...fields }) => ({
    desc: ErrorDetailSchema,
    value: create(ErrorDetailSchema, fields),
  }));
  return new ConnectError(message, code as number as Code, headers, detail);
}
