/**
 * How and when the subject of a token authenticated (OIDC Core §2, RFC 9068 §2.2.1). Empty if the subject did not
 * authenticate, as with a token that an actor obtained for them.
 */
export interface AuthenticationFacts {
  /** Epoch milliseconds. */
  authTime?: number | null;
  /** Space-delimited RFC 8176 values; empty without an authentication. */
  amr?: string | null;
  acr?: string | null;
}

export interface AuthenticationClaims {
  /** Epoch seconds. */
  auth_time?: number;
  amr?: string[];
  acr?: string;
}

/** Returns the claims; empty without an authentication. */
export function authenticationClaims({ authTime, amr, acr }: AuthenticationFacts): AuthenticationClaims {
  if (!amr || authTime === undefined || authTime === null) return {};
  return {
    auth_time: Math.floor(authTime / 1000),
    amr: amr.split(" "),
    ...(acr ? { acr } : {}),
  };
}
