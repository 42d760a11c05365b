/** Where an API or a machine publishes its keys: an address that the service may ask. */
import { isLoopback } from "../config-values";
import type { Context } from "../context";
import { type ApiError, fieldProblem, invalidArgument } from "../protocol/api-error";
import { checkBackChannelUri } from "../protocol/public-address";

/** The refusal of an address of keys that may not be asked. */
export function refuseKeyAddress(ctx: Context, jwksUri: string | null | undefined): ApiError | undefined {
  if (jwksUri === undefined || jwksUri === null) return undefined;
  const onLoopback = isLoopback(ctx.config.baseUrl);
  // APIs and machines have no development mode: a service on loopback is one that is being built.
  const reason = checkBackChannelUri(jwksUri, { devMode: true, onLoopback });
  if (reason === undefined) return undefined;
  const problem = fieldProblem("app.invalid_address", "jwksUri", reason);
  return invalidArgument(problem.id, problem.message, { field: problem.field, reason, problems: [problem] });
}
