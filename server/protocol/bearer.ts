/** The token of an Authorization header with the Bearer scheme (RFC 6750 §2.1); undefined for any other header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1];
}
