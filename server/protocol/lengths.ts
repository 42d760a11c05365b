/**
 * The largest size of a parameter in bytes of UTF-8, wherever it is sent: generous for what this service makes and what
 * clients sensibly send, so that no request fills a log, a cookie or a row (attack: exhausted memory). Bytes, as what
 * comes back in a Location header is percent-encoded, three characters a byte; clients refuse headers beyond 16 kB.
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
export const longerThan = (what: string, limit: number): string => `${what} is longer than ${limit} bytes`;

/** Whether a value is longer than its parameter may be. */
export const isTooLong = (name: BoundedParameter, value: string | undefined): boolean =>
  value !== undefined && Buffer.byteLength(value) > MAX_LENGTHS[name];

/** invalid_request for the first of `names` that is too long. */
export function checkLengths(parameters: Parameters, names: readonly BoundedParameter[]): OAuthError | undefined {
  const tooLong = names.find((name) => isTooLong(name, parameters.get(name)));
  return tooLong && about(tooLong, invalidRequest(longerThan(tooLong, MAX_LENGTHS[tooLong])));
}
