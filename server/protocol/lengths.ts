/**
 * The maximum size of a parameter in bytes of UTF-8, for all endpoints. The limits are generous for values of this
 * service and of sensible clients, and prevent a request from filling a log, a cookie or a row (attack: exhausted
 * memory). They are in bytes because a Location header is percent-encoded, three characters per byte; clients reject
 * headers over 16 kB.
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
  /** The limit for codes, and for refresh tokens and device codes, which are also redeemed at the token endpoint. */
  code: 1024,
  /** The limit for a JWT of the client, in any parameter. */
  assertion: 16 * 1024,
} as const;

export type BoundedParameter = keyof typeof MAX_LENGTHS;

/** Returns the reason of an error with the limit, so that integrators need not look it up. */
export const longerThan = (what: string, limit: number): string => `${what} is longer than ${limit} bytes`;

/** Whether a value exceeds the limit of its parameter. */
export const isTooLong = (name: BoundedParameter, value: string | undefined): boolean =>
  value !== undefined && Buffer.byteLength(value) > MAX_LENGTHS[name];

/** Returns invalid_request for the first of `names` that is too long. */
export function checkLengths(parameters: Parameters, names: readonly BoundedParameter[]): OAuthError | undefined {
  const tooLong = names.find((name) => isTooLong(name, parameters.get(name)));
  return tooLong && about(tooLong, invalidRequest(longerThan(tooLong, MAX_LENGTHS[tooLong])));
}
