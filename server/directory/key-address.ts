/** The address at which an API or a machine publishes its keys, which the service must be allowed to request. */
import { isLoopback } from "../config/value-parsers";
import type { Context } from "../context";
import { type ApiError, fieldProblem, invalidArgument } from "../protocol/api-error";
import { checkBackChannelUri } from "../protocol/public-address";

/** Returns the error for a key address that the service may not request. */
export function refuseKeyAddress(ctx: Context, jwksUri: string | null | undefined): ApiError | undefined {
  if (jwksUri === undefined || jwksUri === null) return undefined;
  const onLoopback = isLoopback(ctx.config.baseUrl);
  // APIs and machines have no development mode: a service on loopback is in development.
  const reason = checkBackChannelUri(jwksUri, { devMode: true, onLoopback });
  if (reason === undefined) return undefined;
  const problem = fieldProblem("app.invalid_address", "jwksUri", reason);
  return invalidArgument(problem.id, problem.message, { field: problem.field, reason, problems: [problem] });
}
