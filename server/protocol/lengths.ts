/**
 * The most characters of a parameter, wherever it is sent: generous for what this service makes and what clients
 * sensibly send, so that no request can fill a log, a cookie or a row (attack: exhausted memory).
 */
import { about, invalidRequest, type OAuthError } from "./oauth-error";
import type { Parameters } from "./parameters";

export const MAX_LENGTHS = {
  client_id: 256,
  redirect_uri: 2048,
  post_logout_redirect_uri: 2048,
  state: 4096,
  nonce: 1024,
  login_hint: 200,
  id_token_hint: 8192,
  /** Also the other things redeemed at the token endpoint that this service made: refresh tokens and device codes. */
  code: 1024,
  /** A JWT of the client, whatever the parameter is called. */
  assertion: 16 * 1024,
} as const;

export type BoundedParameter = keyof typeof MAX_LENGTHS;

/** The reason of a refusal, with the limit, which integrators would have to look up. */
export const longerThan = (what: string, limit: number): string => `${what} is longer than ${limit} characters`;

/** invalid_request for the first of `names` that is too long. */
export function checkLengths(parameters: Parameters, names: readonly BoundedParameter[]): OAuthError | undefined {
  const tooLong = names.find((name) => (parameters.get(name)?.length ?? 0) > MAX_LENGTHS[name]);
  return tooLong && about(tooLong, invalidRequest(longerThan(tooLong, MAX_LENGTHS[tooLong])));
}
