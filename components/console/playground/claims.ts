// Decodes a token without verifying it: for display only, never for decisions. Known claims have explanations in the
// texts; the others are defined by the app.

export interface Jwt {
  header: Readonly<Record<string, unknown>>;
  payload: Readonly<Record<string, unknown>>;
}

/** Returns the parts of a JSON Web Token (RFC 7519 §3); undefined for an opaque token. */
export function readJwt(token: string): Jwt | undefined {
  const [header, payload, signature, ...rest] = token.split(".");
  if (!header || !payload || signature === undefined || rest.length > 0) return undefined;
  try {
    return { header: json(header), payload: json(payload) };
  } catch {
    return undefined;
  }
}

function json(part: string): Record<string, unknown> {
  const base64 = part.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** Claims that have an explanation: `playground.by.claim.<name>`. */
export const EXPLAINED_CLAIMS: readonly string[] = [
  "iss",
  "sub",
  "aud",
  "exp",
  "iat",
  "nbf",
  "jti",
  "auth_time",
  "nonce",
  "amr",
  "acr",
  "azp",
  "client_id",
  "sid",
  "at_hash",
  "act",
  "scope",
  "active",
  "token_type",
  "username",
  "name",
  "given_name",
  "family_name",
  "nickname",
  "preferred_username",
  "locale",
  "updated_at",
  "email",
  "email_verified",
  "phone_number",
  "phone_number_verified",
  "address",
  "alg",
  "kid",
  "typ",
];

const MOMENTS: ReadonlySet<string> = new Set(["exp", "iat", "nbf", "auth_time", "updated_at"]);

/** Returns the time in a claim, in epoch milliseconds (NumericDate, RFC 7519 §2); undefined for other claims. */
export function momentOf(name: string, value: unknown): number | undefined {
  return MOMENTS.has(name) && typeof value === "number" ? value * 1_000 : undefined;
}
