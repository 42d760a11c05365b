/**
 * The organization that a request of the management APIs names: `x-service-orgid`, or `x-zitadel-orgid`, which clients of
 * that product send. An empty one names none (rule API-5).
 */
import type { Http } from "../http/env";
import { type ApiError, invalidArgument } from "../protocol/api-error";

const HEADERS = ["x-service-orgid", "x-zitadel-orgid"] as const;

/** Undefined if none is named. Two that differ are refused: nobody could say which was meant. */
export function organizationInHeader(http: Http): string | undefined | ApiError {
  return organizationNamed((name) => http.req.header(name));
}

/** The same for other transports. @param header the value of a header, or of gRPC's metadata */
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
