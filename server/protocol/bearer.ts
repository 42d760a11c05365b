/**
 * Returns the token of an Authorization header with the Bearer scheme (RFC 6750 §2.1); undefined for any other header.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1];
}

/**
 * Returns the token of an Authorization header and its scheme: Bearer (RFC 6750 §2.1) or DPoP (RFC 9449 §7.1);
 * undefined for any other header.
 */
export function presentedToken(
  authorization: string | undefined,
): { scheme: "Bearer" | "DPoP"; token: string } | undefined {
  const token = authorization?.match(/^(?:Bearer|DPoP) +([\w.~+/-]+=*)$/i)?.[1];
  if (token === undefined) return undefined;
  return { scheme: /^DPoP/i.test(authorization ?? "") ? "DPoP" : "Bearer", token };
}

/** Whether a header has the Bearer scheme without exactly one token after it, which RFC 6750 §3.1 calls malformed. */
export function isMalformedBearer(authorization: string | undefined): boolean {
  return /^Bearer(?![\w!#$%&'*+.^`|~-])/i.test(authorization ?? "") && bearerToken(authorization) === undefined;
}
