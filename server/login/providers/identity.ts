/**
 * The identity that a provider reported, in one form for all kinds. Whether the address is verified decides who may use
 * it: only what the provider itself says counts, and of Microsoft only where it says so or there is one tenant (attack:
 * a tenant of one's own with another person's address).
 */

import { email as emailSchema, name as nameSchema } from "../../directory/fields";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import type { ProviderTokens } from "../../directory/identity-provider/tokens";
import { isOneTenant } from "../../protocol/identity-provider";
import { type MappedGrant, mappedGrants, textsOfClaim } from "../../protocol/provider-mapping";

export interface ProvenIdentity {
  providerId: string;
  /** The id of the account at the provider. */
  externalId: string;
  /** The name of the account there, to be recognized. */
  userName: string;
  email?: string;
  isEmailVerified: boolean;
  givenName?: string;
  familyName?: string;
  /** A language tag. */
  language?: string;
  /** The roles that the provider's mapping gives. */
  grants?: readonly MappedGrant[];
  /** The methods that the provider reports (RFC 8176). */
  amr: readonly string[];
  /** OpenID Connect and SAML have it, and providers whose tokens are kept. */
  atProvider?: SessionAtProvider;
}

/** What the provider calls the user and the session there. */
export interface SessionAtProvider {
  subject: string;
  sid?: string;
  /** What a sign-out sends: the id_token, or the name of SAML as JSON. Other protocols have none. */
  hint?: string;
  /** Undefined unless they are kept. */
  tokens?: ProviderTokens;
}

export type Claims = Readonly<Record<string, unknown>>;

type Identifying = Pick<IdentityProvider, "id" | "kind" | "settings" | "mapping">;

const MAX_ID_LENGTH = 255;

/** Returns the identity; undefined if the claims have no usable id. */
export function identityOf(provider: Identifying, claims: Claims): ProvenIdentity | undefined {
  const externalId = idOf(provider, claims);
  if (externalId === undefined || externalId.length > MAX_ID_LENGTH || /\p{Cc}/u.test(externalId)) return undefined;
  const { profile = {} } = provider.mapping ?? {};
  const mapped = (name: keyof typeof profile) =>
    profile[name] === undefined ? undefined : textOf(textsOfClaim(claims, profile[name])[0], nameSchema);
  const email = textOf(claims.email, emailSchema);
  const whole = textOf(claims.name, nameSchema);
  const cut = whole?.lastIndexOf(" ") ?? -1;
  const [first, last] =
    whole === undefined || cut < 0 ? [whole, undefined] : [whole.slice(0, cut), whole.slice(cut + 1)];
  const own = textOf(claims.preferred_username, nameSchema) ?? textOf(claims.login, nameSchema);
  return {
    providerId: provider.id,
    externalId,
    userName: mapped("userName") ?? own ?? textOf(claims.username, nameSchema) ?? email ?? whole ?? externalId,
    email,
    isEmailVerified: email !== undefined && isVerified(provider, claims),
    givenName: mapped("givenName") ?? textOf(claims.given_name, nameSchema) ?? first,
    familyName: mapped("familyName") ?? textOf(claims.family_name, nameSchema) ?? last,
    language: languageOf(claims.locale),
    ...(provider.mapping?.roles && { grants: mappedGrants(provider.mapping, claims) }),
    amr: Array.isArray(claims.amr) ? claims.amr.filter((one) => typeof one === "string") : [],
  };
}

function idOf({ kind, settings }: Identifying, claims: Claims): string | undefined {
  const name = kind === "oauth" ? (settings.idAttribute ?? "sub") : kind.startsWith("github") ? "id" : "sub";
  // The object id is the same for all clients of a tenant; `sub` is not.
  const id = kind === "azure" ? (claims.oid ?? claims.sub) : claims[name];
  if (typeof id === "number" && Number.isSafeInteger(id)) return String(id);
  return typeof id === "string" && id !== "" ? id : undefined;
}

const yes = (value: unknown): boolean => value === true || value === "true" || value === 1 || value === "1";

function isVerified({ kind, settings }: Identifying, claims: Claims): boolean {
  // SAML does not say so: the administrator decides.
  if (kind === "saml") return settings.emailVerified === true;
  if (kind === "ldap") return yes(claims.email_verified) || settings.emailVerified === true;
  if (kind !== "azure") return yes(claims.email_verified);
  const isSet = settings.emailVerified === true && Boolean(settings.tenant?.tenantId);
  return yes(claims.xms_edov) || (isSet && isOneTenant(settings));
}

/** Returns the text if our own fields accept it. */
function textOf(value: unknown, schema: typeof nameSchema): string | undefined {
  const parsed = schema.safeParse(typeof value === "string" ? value.trim() : value);
  return parsed.success ? parsed.data : undefined;
}

function languageOf(locale: unknown): string | undefined {
  if (typeof locale !== "string" || locale.length > 35) return undefined;
  try {
    return new Intl.Locale(locale.replaceAll("_", "-")).language;
  } catch {
    return undefined;
  }
}
