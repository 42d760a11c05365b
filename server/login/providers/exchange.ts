/**
 * Speaks to a provider: the address to which a user is sent, and the identity behind the code that comes back. The
 * library checks the response (RFC 9207, RFC 6749 §4.1, OIDC Core §3.1.3.7); id_tokens must have an asymmetric
 * signature by a key of the provider, so `none` and HS256 with our secret or its public key are refused.
 */
import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import type { Context } from "../../context";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { keepsTokens, type ProviderTokens, tokensIn } from "../../directory/identity-provider/tokens";
import {
  clientAuthOf,
  endpointsOf,
  errorCode,
  errorIn,
  ofTenant,
  type ProviderEndpoints,
} from "../../oidc/provider-endpoints";
import { providerKinds } from "../../protocol/identity-provider";
import { codeChallengeOf } from "../../protocol/pkce";
import { checkBinding } from "./code-binding";
import { type Claims, identityOf, type SessionAtProvider } from "./identity";
import { type ExchangeOutcome, failedCheck } from "./outcome";
import { redeemSamlResponse, samlAddress } from "./saml";

/** What a sign-in at a provider must return with, stored sealed by its state. */
export interface ProviderRequest {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Undefined: any session there will do. */
  age?: RequiredAge;
}

/** How recently the user must have signed in at the provider. */
export interface RequiredAge {
  /** Epoch milliseconds. */
  since: number;
  /** Whether the provider must report the time: it must for `max_age`, but not for `prompt=login` (OIDC Core §2). */
  isReported: boolean;
}

/** What the application asked for, which is passed on. */
export interface ProviderWishes {
  prompt: readonly string[];
  maxAge?: number;
  loginHint?: string;
}

export const callbackUrl = ({ config }: Pick<Context, "config">): string => `${config.baseUrl}/idps/callback`;

const isOidc = ({ kind }: IdentityProvider) => providerKinds[kind].protocol === "oidc";

/** Providers of OpenID Connect that neither take `max_age` nor report `auth_time`. */
const WITHOUT_AGE: readonly string[] = ["google", "apple"];

/** Returns what a provider must report, if the request asks for it. */
export function requiredAge(
  ctx: Pick<Context, "clock">,
  { kind }: Pick<IdentityProvider, "kind">,
  { prompt, maxAge }: ProviderWishes,
): RequiredAge | undefined {
  const isReported = maxAge !== undefined && !WITHOUT_AGE.includes(kind);
  if (prompt.includes("login")) return { since: ctx.clock(), isReported };
  return isReported ? { since: ctx.clock() - maxAge * 1000, isReported } : undefined;
}

/** Returns the address to which the user is sent. Rejects if the provider cannot be reached. */
export async function providerAddress(
  ctx: Context,
  provider: IdentityProvider,
  { state, nonce, codeVerifier, age }: ProviderRequest,
  { prompt, maxAge, loginHint }: ProviderWishes,
): Promise<URL> {
  if (provider.kind === "saml") return samlAddress(ctx, provider, { state, nonce, age });
  const { as, client } = await endpointsOf(ctx, provider);
  const { settings, kind } = provider;
  const scopes = settings.scopes?.length ? settings.scopes : providerKinds[kind].scopes;
  const oidc = isOidc(provider);
  const scope = oidc && !scopes.includes("openid") ? ["openid", ...scopes] : scopes;
  const url = new URL(as.authorization_endpoint ?? "");
  const passed = prompt.filter((one) => one === "login" || one === "select_account");
  const parameters: Record<string, string | undefined> = {
    client_id: client.client_id,
    redirect_uri: callbackUrl(ctx),
    response_type: "code",
    scope: scope.length > 0 ? scope.join(" ") : undefined,
    state,
    nonce: oidc ? nonce : undefined,
    prompt: oidc && passed.length > 0 ? passed.join(" ") : undefined,
    max_age: oidc && age?.isReported ? String(maxAge) : undefined,
    login_hint: oidc && kind !== "apple" ? loginHint : undefined,
    // Google issues a refresh token only for this.
    access_type: kind === "google" && keepsTokens(provider.options) ? "offline" : undefined,
    // Apple sends name and address only in a form.
    response_mode: kind === "apple" && scope.some((one) => one !== "openid") ? "form_post" : undefined,
    ...(settings.usePkce !== false && {
      code_challenge: codeChallengeOf(codeVerifier),
      code_challenge_method: "S256",
    }),
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Characters that are compared. */
const MAX_SID_LENGTH = 500;

/** The checks in their order, as they are named in the sign-in attempt. */
type Check = "response" | "token" | "id_token" | "signature" | "age" | "user" | "identity";

/** Redeems the response of a provider, or its code, and returns the identity behind it. */
export async function redeemResponse(
  ctx: Context,
  provider: IdentityProvider,
  parameters: URLSearchParams,
  { state, nonce, codeVerifier, age }: ProviderRequest,
): Promise<ExchangeOutcome> {
  if (provider.kind === "saml") return redeemSamlResponse(ctx, provider, { state, nonce, age });
  let check: Check = "response";
  const passed: Check[] = [];
  const next = (following: Check) => {
    passed.push(check);
    check = following;
  };
  try {
    const endpoints = await endpointsOf(ctx, provider);
    const server = withOwnIssuer(endpoints.as, provider, parameters.get("iss"));
    const { client, options } = endpoints;
    const answer = oauth.validateAuthResponse(server, client, parameters, state);
    await checkBinding(ctx, parameters.get("code") ?? "", state);
    next("token");
    const verifier = provider.settings.usePkce === false ? oauth.nopkce : codeVerifier;
    const auth = await clientAuthOf(provider, server);
    const request = oauth.authorizationCodeGrantRequest;
    const response = await request(server, client, auth, answer, callbackUrl(ctx), verifier as string, options);
    const error = await errorIn(response.clone());
    if (error !== undefined || response.status !== 200) throw new Error(`it answered ${error ?? response.status}`);
    const oidc = isOidc(provider);
    if (oidc) next("id_token");
    const as = provider.kind === "azure" ? ofTenant(server, await tenantIn(response.clone())) : server;
    const expected = oidc ? { expectedNonce: nonce, requireIdToken: true } : {};
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, expected);
    if (oidc) {
      next("signature");
      await oauth.validateApplicationLevelSignature(as, response, {
        ...options,
        [oauth.jwksCache]: endpoints[oauth.jwksCache],
      });
      if (age) next("age");
      if (age) checkAge(age, oauth.getValidatedIdTokenClaims(tokens)?.auth_time);
    }
    next("user");
    const claims = await claimsOf(provider, { ...endpoints, as }, tokens, parameters);
    next("identity");
    const identity = identityOf(provider, claims);
    if (!identity) return failedCheck(check, passed, "it has no id of the user");
    const kept = keepsTokens(provider.options) ? tokensIn(ctx, provider, identity.externalId, tokens) : undefined;
    const atProvider = sessionIn(identity.externalId, tokens, kept);
    return { kind: "identity", identity: { ...identity, atProvider }, claims, passed: [...passed, check] };
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) return failedCheck(check, passed, describe(error));
    const code = errorCode(error.error) ?? "an error";
    return CANCELED.test(code) ? { kind: "denied", error: code } : failedCheck(check, passed, `it says ${code}`);
  }
}

/** The errors of users who decline; also Apple and LinkedIn have their own. All others are the provider's or ours. */
const CANCELED = /^access_denied$|cancel|_required$/;

/** How much clocks may differ, in milliseconds. */
const SKEW = 60_000;

/** Checks when the user signed in at the provider (OIDC Core §3.1.3.7, 13.). @param authTime in seconds */
function checkAge({ since, isReported }: RequiredAge, authTime: unknown): void {
  if (authTime === undefined && !isReported) return;
  if (typeof authTime !== "number") throw new Error("max_age was sent, and auth_time is missing");
  if (!(authTime * 1000 + SKEW >= since)) throw new Error("the user signed in there too long ago");
}

function sessionIn(
  externalId: string,
  tokens: oauth.TokenEndpointResponse,
  kept: ProviderTokens | undefined,
): SessionAtProvider | undefined {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  const { id_token: idToken } = tokens;
  if (!claims || idToken === undefined) return kept && { subject: externalId, tokens: kept };
  const sid = typeof claims.sid === "string" ? claims.sid.slice(0, MAX_SID_LENGTH) : undefined;
  return { subject: claims.sub, sid, hint: idToken, tokens: kept };
}

/** Returns the tenant that the id_token of a response names, before it is validated. */
async function tenantIn(response: Response): Promise<unknown> {
  const { id_token: token } = (await response.json()) as { id_token?: unknown };
  return typeof token === "string" ? decodeJwt(token).tid : undefined;
}

/**
 * Returns the server as the issuer that its response must name. Providers of OAuth 2.0 have no document; a response
 * that names an issuer elsewhere is another provider's (attack: mix-up, RFC 9700 §2.1).
 */
function withOwnIssuer(as: oauth.AuthorizationServer, { kind }: IdentityProvider, iss: string | null) {
  if (iss === null || (kind !== "oauth" && kind !== "github_es")) return as;
  return URL.canParse(iss) && new URL(iss).origin === as.issuer ? { ...as, issuer: iss } : as;
}

async function claimsOf(
  provider: IdentityProvider,
  { as, client, options }: ProviderEndpoints,
  tokens: oauth.TokenEndpointResponse,
  parameters: URLSearchParams,
): Promise<Claims> {
  const idToken: Claims = oauth.getValidatedIdTokenClaims(tokens) ?? {};
  if (isOidc(provider)) {
    if (provider.kind === "apple") return { ...nameOfApple(parameters.get("user")), ...idToken };
    if (provider.settings.isIdTokenMapping || as.userinfo_endpoint === undefined) return idToken;
    const response = await oauth.userInfoRequest(as, client, tokens.access_token, options);
    const user = await oauth.processUserInfoResponse(as, client, String(idToken.sub), response);
    return { ...user, ...idToken };
  }
  const user = await readUser(new URL(as.userinfo_endpoint ?? ""), tokens.access_token, options);
  if (typeof user !== "object" || user === null || Array.isArray(user)) throw new Error("the user is not an object");
  return provider.kind.startsWith("github")
    ? { ...user, ...(await addressAtGitHub(as, tokens.access_token, options)) }
    : { ...user };
}

async function readUser(url: URL, token: string, options: ProviderEndpoints["options"]): Promise<unknown> {
  const headers = new Headers({ accept: "application/json" });
  const response = await oauth.protectedResourceRequest(token, "GET", url, headers, null, options);
  if (response.status !== 200) throw new Error(`the user endpoint answered ${response.status}`);
  return response.json();
}

/** Returns the primary verified address, which the user's profile does not tell. */
async function addressAtGitHub(
  { userinfo_endpoint: user = "" }: oauth.AuthorizationServer,
  token: string,
  options: ProviderEndpoints["options"],
): Promise<Claims> {
  const list = await readUser(new URL(`${user}/emails`), token, options).catch(() => []);
  const addresses = (Array.isArray(list) ? list : []) as { email?: unknown; primary?: unknown; verified?: unknown }[];
  const primary = addresses.find((one) => one?.primary === true && one.verified === true);
  return primary ? { email: primary.email, email_verified: true } : { email_verified: false };
}

/** Returns the name that Apple sends beside the first response; it is not signed, and only prefills. */
function nameOfApple(user: string | null): Claims {
  try {
    const { name } = JSON.parse(user ?? "{}") as { name?: { firstName?: unknown; lastName?: unknown } };
    return { given_name: name?.firstName, family_name: name?.lastName };
  } catch {
    return {};
  }
}

/** The library's sentence, which repeats no value of the response. */
const describe = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/[\p{Cc}\s]+/gu, " ") : "unforeseen";
