/**
 * Tries the connection to a provider without a user: its document, its keys, and the client by a code that the provider
 * never issued. A provider that knows the client refuses the code; one that doesn't refuses the client (RFC 6749 §5.2).
 */
import * as oauth from "oauth4webapi";
import type { Context } from "../../context";
import { newId, randomSecret } from "../../crypto/random";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { findSamlMetadata } from "../../directory/identity-provider/saml-metadata";
import { clientAuthOf, endpointsOf, errorIn, type ProviderEndpoints } from "../../oidc/provider-endpoints";
import { providerKinds } from "../../protocol/identity-provider";
import { type AskedDirectory, askDirectory } from "./directory";
import { callbackUrl } from "./exchange";

/** In the order in which they are made; the first that fails is the last. */
export const CONNECTION_CHECKS = ["discovery", "keys", "client"] as const;

export interface ConnectionCheck {
  check: (typeof CONNECTION_CHECKS)[number];
  /** Undefined: the answer does not tell. */
  isPassed?: boolean;
  detail: string;
}

/** The errors by which providers refuse the client, and those by which they refuse only the code. */
const CLIENT_REFUSED = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"];
const CODE_REFUSED = ["invalid_grant", "bad_verification_code"];

export async function testConnection(ctx: Context, provider: IdentityProvider): Promise<ConnectionCheck[]> {
  if (provider.kind === "ldap") return testDirectory(ctx, provider as AskedDirectory);
  const checks: ConnectionCheck[] = [];
  for (const check of CONNECTION_CHECKS) {
    try {
      const made = await CHECKS[check](ctx, provider);
      if (made) checks.push({ check, ...made });
    } catch (error) {
      checks.push({ check, isPassed: false, detail: reasonOf(error) });
    }
    if (checks.at(-1)?.isPassed === false) break;
  }
  return checks;
}

/** A directory is reached, and then refuses the service's own account or not. */
async function testDirectory(ctx: Context, directory: AskedDirectory): Promise<ConnectionCheck[]> {
  const outcome = await askDirectory(ctx, { ...directory, id: newId() });
  const detail = "detail" in outcome ? outcome.detail : outcome.kind;
  const isReached = outcome.kind !== "busy" && !detail.startsWith("connect:");
  const reached = { check: "discovery", isPassed: isReached, detail: isReached ? "connect" : detail } as const;
  const bound = { check: "client", isPassed: outcome.kind === "reached", detail } as const;
  return isReached ? [reached, bound] : [reached];
}

type Made = Omit<ConnectionCheck, "check">;

const CHECKS: Readonly<
  Record<ConnectionCheck["check"], (ctx: Context, provider: IdentityProvider) => Promise<Made | undefined>>
> = {
  async discovery(ctx, provider) {
    if (provider.kind === "saml") {
      return { isPassed: true, detail: `entity ${(await findSamlMetadata(ctx, provider, 0)).entityId}`.slice(0, 200) };
    }
    const { as } = await endpointsOf(ctx, provider, { isFresh: true });
    const isOidc = providerKinds[provider.kind].protocol === "oidc";
    const needed = ["authorization_endpoint", "token_endpoint", ...(isOidc ? ["jwks_uri"] : [])] as const;
    const missing = needed.filter((name) => typeof as[name] !== "string");
    const detail = missing.length > 0 ? `the document has no ${missing.join(", ")}` : `issuer ${as.issuer}`;
    return { isPassed: missing.length === 0, detail };
  },
  async keys(ctx, provider) {
    if (provider.kind === "saml") {
      const { length } = (await findSamlMetadata(ctx, provider)).certificates;
      return { isPassed: length > 0, detail: `${length} certificates` };
    }
    const { as, options } = await endpointsOf(ctx, provider);
    if (as.jwks_uri === undefined) return undefined;
    const response = await options[oauth.customFetch](as.jwks_uri, { method: "GET", headers: { accept: "*/*" } });
    if (response.status !== 200) return { isPassed: false, detail: `${as.jwks_uri} answered ${response.status}` };
    const { keys } = (await response.json()) as { keys?: { kty?: unknown }[] };
    const usable = Array.isArray(keys) ? keys.filter((key) => key?.kty !== undefined && key.kty !== "oct").length : 0;
    return { isPassed: usable > 0, detail: `${usable} public keys` };
  },
  async client(ctx, provider) {
    if (provider.kind === "saml") return undefined;
    const endpoints = await endpointsOf(ctx, provider);
    const response = await redeemNothing(ctx, provider, endpoints);
    const error = await errorIn(response);
    const answered = `the token endpoint answered ${response.status} ${error ?? "without an error"}`.slice(0, 200);
    if (error !== undefined && CODE_REFUSED.includes(error)) return { isPassed: true, detail: answered };
    const isRefused = response.status === 401 || (error !== undefined && CLIENT_REFUSED.includes(error));
    return { ...(isRefused && { isPassed: false }), detail: answered };
  },
};

/** Sends a code that was never issued. */
async function redeemNothing(
  ctx: Context,
  provider: IdentityProvider,
  { as, client, options }: ProviderEndpoints,
): Promise<Response> {
  const parameters = new URLSearchParams({ code: randomSecret(), iss: as.issuer });
  const answer = oauth.validateAuthResponse(as, client, parameters, oauth.skipStateCheck);
  const verifier = provider.settings.usePkce === false ? oauth.nopkce : randomSecret();
  const auth = await clientAuthOf(provider, as);
  const request = oauth.authorizationCodeGrantRequest;
  return request(as, client, auth, answer, callbackUrl(ctx), verifier as string, options);
}

/** One line, without values of the answer. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : new Error("unforeseen");
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return why.replace(/[\p{Cc}\s]+/gu, " ").slice(0, 200);
};
