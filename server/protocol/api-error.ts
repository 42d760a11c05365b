/**
 * The error value of the management APIs (rule API-1; gRPC status codes): a number for programs, a readable id that
 * never changes, and a sentence for people. Rules and use cases return it and never throw it; the HTTP layer turns it
 * into JSON or a gRPC status. It contains no value of the request, so that nothing is reflected.
 */

import { type Reason, sentenceOf } from "./reason";
import type { RefusalId } from "./refusals";

const brand: unique symbol = Symbol("ApiError");

/** gRPC status codes by name. */
export const GRPC_CODES = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

export type GrpcCode = (typeof GRPC_CODES)[keyof typeof GRPC_CODES];

/** The HTTP status of each code; 9 is 400, not 412 (rule API-2). */
const HTTP_STATUS: Readonly<Record<GrpcCode, number>> = {
  1: 499,
  2: 500,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  13: 500,
  14: 503,
  15: 500,
  16: 401,
};

/** Further details of an error about a single field. */
export interface FieldDetails {
  /** The field's name as callers write it. */
  field?: string;
  /** The maximum number of characters of the field. */
  limit?: number;
  /** The position in the field, in characters from 0. */
  position?: number;
  /** A suggested replacement. */
  suggestion?: string;
  /** Why the value is rejected, for the sentence in the caller's language. Not part of the response. */
  reason?: Reason;
}

/** Another mistake of the same request. */
export interface Problem extends FieldDetails {
  id: RefusalId;
  message: string;
  /** The id of the error within a larger whole, whose sentence describes it best. */
  within?: RefusalId;
}

/** Returns the problem of a rejected field. */
export function fieldProblem(id: RefusalId, field: string, why: Reason): Problem & { field: string } {
  return { id, message: `${field} ${sentenceOf(why)}`, field, reason: why };
}

export interface ApiError extends FieldDetails {
  readonly [brand]: true;
  readonly code: GrpcCode;
  /** A stable readable id, such as `message_text.not_found`. */
  readonly id: RefusalId;
  /** An English sentence for people. */
  readonly message: string;
  /** All mistakes, this one first, if a request can contain several. */
  readonly problems?: readonly Problem[];
  /** Seconds after which to retry (RFC 9110 §10.2.3). */
  readonly retryAfter?: number;
  /** The HTTP status, if HTTP has a more precise one than that of the code. */
  readonly status?: number;
  /** For the log, never for the response. */
  readonly cause?: unknown;
}

export interface ApiErrorOptions extends FieldDetails {
  problems?: readonly Problem[];
  retryAfter?: number;
  status?: number;
  cause?: unknown;
}

/** Whether a value was made by the constructors of this file. */
export function isApiError(value: unknown): value is ApiError {
  return typeof value === "object" && value !== null && (value as { [brand]?: unknown })[brand] === true;
}

const make =
  (code: GrpcCode) =>
  (id: RefusalId, message: string, options: ApiErrorOptions = {}): ApiError => ({
    [brand]: true,
    code,
    id,
    message,
    ...options,
  });

export const invalidArgument = make(GRPC_CODES.invalidArgument);
export const notFound = make(GRPC_CODES.notFound);
export const alreadyExists = make(GRPC_CODES.alreadyExists);
export const permissionDenied = make(GRPC_CODES.permissionDenied);
export const resourceExhausted = make(GRPC_CODES.resourceExhausted);
export const failedPrecondition = make(GRPC_CODES.failedPrecondition);
/** Returns the error for a concurrent change: the caller should read again, then decide. */
export const aborted = make(GRPC_CODES.aborted);
export const unimplemented = make(GRPC_CODES.unimplemented);
export const internal = make(GRPC_CODES.internal);
export const unavailable = make(GRPC_CODES.unavailable);
export const unauthenticated = make(GRPC_CODES.unauthenticated);

/** Returns the HTTP status of a gRPC code (rule API-2). */
export function httpStatusOf(code: GrpcCode): number {
  return HTTP_STATUS[code];
}

/** Returns the HTTP status of an error: its own, else that of its code. */
export function statusOf({ code, status }: Pick<ApiError, "code" | "status">): number {
  return status ?? httpStatusOf(code);
}

export type ErrorDetail = { "@type": string; id: string; message?: string } & Omit<FieldDetails, "reason">;

/** The JSON body of an error (rule API-1); one entry in `details` for each problem. */
export interface ApiErrorBody {
  code: GrpcCode;
  message: string;
  details: readonly ErrorDetail[];
}

/** Returns an error as JSON, without its `cause`. */
export function apiErrorBody(error: ApiError): ApiErrorBody {
  const { code, message, problems } = error;
  const details = problems ? problems.map((problem) => ({ ...detailOf(problem), message: problem.message })) : [];
  return { code, message, details: problems ? details : [detailOf(error)] };
}

function detailOf({ id, field, limit, position, suggestion }: FieldDetails & { id: string }): ErrorDetail {
  return {
    "@type": "type.googleapis.com/service.v1.ErrorDetail",
    id,
    ...(field === undefined ? {} : { field }),
    ...(limit === undefined ? {} : { limit }),
    ...(position === undefined ? {} : { position }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
