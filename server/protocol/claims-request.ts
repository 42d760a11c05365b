/**
 * The claims parameter (OIDC Core §5.5): individual claims requested by name, for userinfo or the id_token. The JSON is
 * untrusted, so only a bounded number of well-formed members is kept, and no name can reach a prototype.
 */
import { longerThan } from "./lengths";
import { invalidRequest, type OAuthError } from "./oauth-error";

export type ClaimValue = string | number | boolean;

/** How one claim is requested; an empty object is a request without conditions (`null` in JSON). */
export interface ClaimWish {
  essential?: boolean;
  value?: ClaimValue;
  values?: ClaimValue[];
}

/** JSON-serializable: it travels in the sealed request and is stored with the grant. */
export interface ClaimsRequest {
  userinfo: Record<string, ClaimWish>;
  idToken: Record<string, ClaimWish>;
}

/** The maximum size of the parameter in bytes. */
const MAX_LENGTH = 4096;
const MAX_CLAIMS = 50;
const MAX_VALUES = 20;

/** Claim names as in OIDC Core §5.1 and §5.2: with a language tag or as a URI. */
const claimName = /^[A-Za-z0-9_:./#~-]{1,200}$/;
const inherited = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Parses the parameter. Undefined if omitted; anything except the JSON object of §5.5 is invalid_request. Unknown
 * members are ignored.
 */
export function parseClaimsRequest(raw: string | undefined): ClaimsRequest | undefined | OAuthError {
  if (raw === undefined) return undefined;
  if (Buffer.byteLength(raw) > MAX_LENGTH) return invalidRequest(longerThan("claims", MAX_LENGTH));
  let json: unknown;
  try {
    json = JSON.parse(raw);
  } catch {
    return invalidRequest("claims is not JSON");
  }
  if (!isObject(json)) return invalidRequest("claims is not a JSON object");
  const userinfo = readMember(json, "userinfo");
  const idToken = readMember(json, "id_token");
  if (userinfo === undefined || idToken === undefined) return invalidRequest("claims is malformed");
  return { userinfo, idToken };
}

/** Returns the subject that a response must be about (§5.5.1: sub with a value); undefined if any user is accepted. */
export function requestedSubject(request: ClaimsRequest | undefined): string | undefined {
  const value = request?.idToken.sub?.value ?? request?.userinfo.sub?.value;
  return value === undefined ? undefined : String(value);
}

function readMember(json: Record<string, unknown>, member: string): Record<string, ClaimWish> | undefined {
  const claims = Object.hasOwn(json, member) ? json[member] : undefined;
  if (claims === undefined || claims === null) return {};
  if (!isObject(claims)) return undefined;
  const wishes: Record<string, ClaimWish> = {};
  const entries = Object.entries(claims);
  if (entries.length > MAX_CLAIMS) return undefined;
  for (const [name, raw] of entries) {
    const wish = readWish(raw);
    if (wish === undefined) return undefined;
    if (claimName.test(name) && !inherited.has(name)) wishes[name] = wish;
  }
  return wishes;
}

/** Parses null, or an object of essential, value and values (OIDC Core §5.5.1); other members are ignored. */
function readWish(raw: unknown): ClaimWish | undefined {
  if (raw === null) return {};
  if (!isObject(raw)) return undefined;
  const { essential, value, values } = raw;
  if (essential !== undefined && typeof essential !== "boolean") return undefined;
  if (values !== undefined && !(Array.isArray(values) && values.length <= MAX_VALUES)) return undefined;
  const wish: ClaimWish = {};
  if (essential !== undefined) wish.essential = essential;
  if (isClaimValue(value)) wish.value = value;
  if (Array.isArray(values)) wish.values = values.filter(isClaimValue);
  return wish;
}

function isClaimValue(value: unknown): value is ClaimValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
