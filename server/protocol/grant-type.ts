/** The grant types by their names on the wire (RFC 6749 §4 and §6); those of later specifications are URNs. */

/** RFC 7523 §2.1. */
export const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** RFC 8693 §2.1. */
export const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";
/** RFC 8628 §3.4. */
export const deviceCode = "urn:ietf:params:oauth:grant-type:device_code";

export type GrantType =
  | "authorization_code"
  | "implicit"
  | "refresh_token"
  | "client_credentials"
  | typeof jwtBearer
  | typeof tokenExchange
  | typeof deviceCode;
