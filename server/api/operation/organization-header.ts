/**
 * Reads the organization of a management API request from `x-service-orgid`, or from `x-zitadel-orgid`, which clients
 * of that product send. An empty header is ignored (rule API-5).
 */
import type { Http } from "../../http/env";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import type { Operation } from "./operation";

const HEADERS = ["x-service-orgid", "x-zitadel-orgid"] as const;

/** Returns undefined if no header is sent. Two different values are ambiguous and rejected. */
export function organizationInHeader(http: Http): string | undefined | ApiError {
  return organizationNamed((name) => http.req.header(name));
}

/**
 * Like `organizationInHeader`, for other transports.
 * @param header returns the value of a header or of gRPC metadata
 */
export function organizationNamed(header: (name: string) => string | undefined): string | undefined | ApiError {
  const [own, other] = HEADERS.map((name) => header(name) || undefined);
  if (own === undefined || other === undefined || own === other) return own ?? other;
  return invalidArgument(
    "request.two_organizations",
    "x-service-orgid and x-zitadel-orgid name two organizations. Send only one of them.",
    {
      field: "x-zitadel-orgid",
    },
  );
}

/** The query parameter that names the organization if no header does. */
export function organizationInQuery(
  { organizationQuery }: Operation,
  query: Readonly<Record<string, string | readonly string[]>>,
): string | undefined {
  const named = organizationQuery === undefined ? undefined : query[organizationQuery];
  return typeof named === "string" && named !== "" ? named : undefined;
}
