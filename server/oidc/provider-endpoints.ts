/**
 * Where an identity provider is and how this service is its client: fixed addresses of well-known providers, those of
 * the settings, or those of the discovery document (OpenID Connect Discovery 1.0 §4), which is remembered for minutes.
 * Every address is checked before it is called, also those that a document names (attack: a document whose token
 * endpoint or key set is inside our network).
 */
import { importPKCS8, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import type { Context } from "../context";
import type { IdentityProvider } from "../directory/identity-provider/identity-provider";
import { callRules } from "../directory/provider/webhook";
import { type GuardedAnswer, guardedFetch } from "../net/guarded-fetch";
import { type IdentityProviderSettings, isOneTenant, microsoftTenant } from "../protocol/identity-provider";

/** How long a discovery document is used, in milliseconds. */
const FRESH = 10 * 60_000;
/** Time limit for a whole request, in milliseconds. */
const TIMEOUT = 8_000;
/** Bytes; key sets and discovery documents of large providers have some ten thousand. */
const MAX_BYTES = 256 * 1024;
/** Beyond this many, all documents are read again. */
const MAX_DOCUMENTS = 1_000;
const APPLE = "https://appleid.apple.com";

type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: unknown },
) => Promise<Response>;

/** Replaces the network in tests. */
const reachingOf = new WeakMap<Context["db"], Fetch>();

/** For tests: answers instead of providers whose addresses are fixed. */
export function reachProvidersBy({ db }: Pick<Context, "db">, fetch: Fetch): void {
  reachingOf.set(db, fetch);
}

const timeoutOf = new WeakMap<Context["db"], (address: string) => number | undefined>();

/** For tests: changes the time limit of some addresses. @param timeout returns milliseconds */
export function limitProvidersBy({ db }: Pick<Context, "db">, timeout: (address: string) => number | undefined): void {
  timeoutOf.set(db, timeout);
}

export interface ProviderEndpoints {
  as: oauth.AuthorizationServer;
  client: oauth.Client;
  /** The options of every request to the provider. */
  options: { [oauth.customFetch]: Fetch; [oauth.allowInsecureRequests]: boolean };
  /** The keys of the provider, which are remembered with its document. */
  [oauth.jwksCache]: oauth.JWKSCacheInput;
}

interface Known {
  as: oauth.AuthorizationServer;
  keys: oauth.JWKSCacheInput;
  readAt: number;
}

/** How long a provider that failed is not asked again, in milliseconds. */
const RETRY_AFTER_FAILURE = 15_000;
const failures = new WeakMap<Context["db"], Map<string, { error: unknown; at: number }>>();
const documents = new WeakMap<Context["db"], Map<string, Known>>();

/** A response whose text is known. It needs no stream, which costs more than all else that is done with it. */
class TextResponse extends Response {
  constructor(
    private readonly content: string,
    private readonly init: { status: number; headers: Record<string, string> },
  ) {
    super(null, init);
  }
  override text = async () => this.content;
  override json = async () => JSON.parse(this.content) as unknown;
  override clone = () => new TextResponse(this.content, this.init);
}

function toResponse({ status, headers, text }: GuardedAnswer): Response {
  const type = headers["content-type"];
  return new TextResponse(text, {
    status: status < 200 ? 500 : status,
    headers: type === undefined ? {} : { "content-type": type },
  });
}

/** Returns a `fetch` that checks each address, and the options with which the library uses it. */
function optionsOf(ctx: Context): ProviderEndpoints["options"] {
  const fetch: Fetch = async (address, init) => {
    const replaced = reachingOf.get(ctx.db);
    if (replaced) return replaced(address, init);
    const { method, headers } = init;
    const body = init.body === undefined || init.body === null ? undefined : String(init.body);
    const limits = {
      timeout: timeoutOf.get(ctx.db)?.(address) ?? TIMEOUT,
      largest: MAX_BYTES,
      resolve: ctx.resolver?.addresses,
      isKept: true,
    };
    const answer = await guardedFetch(address, { method, headers, body }, { ...callRules(ctx), ...limits });
    const problem = "error" in answer ? answer.error : answer.cut;
    if ("error" in answer || problem !== undefined) throw new Error(problem);
    return toResponse(answer);
  };
  // Only addresses on loopback may use http, which the rules of the fetch decide.
  return { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true };
}

/** Returns the issuer whose document is read; undefined for providers without one. */
function issuerOf({ kind, settings }: Pick<IdentityProvider, "kind" | "settings">): string | undefined {
  switch (kind) {
    case "google":
      return "https://accounts.google.com";
    case "gitlab":
      return "https://gitlab.com";
    case "apple":
      return APPLE;
    case "azure":
      return `https://login.microsoftonline.com/${microsoftTenant(settings)}/v2.0`;
    default:
      return settings.issuer;
  }
}

/** The fixed addresses of providers without a document. */
function fixedServer({ kind, settings }: IdentityProvider): oauth.AuthorizationServer {
  if (kind === "github") {
    return {
      issuer: "https://github.com/login/oauth",
      authorization_endpoint: "https://github.com/login/oauth/authorize",
      token_endpoint: "https://github.com/login/oauth/access_token",
      userinfo_endpoint: "https://api.github.com/user",
    };
  }
  const { authorizationEndpoint = "", tokenEndpoint, userEndpoint } = settings;
  return {
    issuer: new URL(authorizationEndpoint).origin,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    userinfo_endpoint: userEndpoint,
  };
}

/**
 * Returns the endpoints. Rejects if the document cannot be read or is not that of the issuer.
 * @param how.isFresh reads the document again, also if it was not reached before
 * @param how.atMostAge the age of a document that is not read again, in milliseconds
 */
export async function endpointsOf(
  ctx: Context,
  provider: IdentityProvider,
  { isFresh = false, atMostAge = FRESH }: { isFresh?: boolean; atMostAge?: number } = {},
): Promise<ProviderEndpoints> {
  const options = optionsOf(ctx);
  const issuer = issuerOf(provider);
  const client = { client_id: provider.settings.clientId ?? "" };
  if (issuer === undefined) return { as: fixedServer(provider), client, options, [oauth.jwksCache]: {} };
  if (isFresh) for (const all of [documents, failures]) all.get(ctx.db)?.delete(issuer);
  const { as, keys } = await documentOf(ctx, provider, issuer, options, atMostAge);
  return { as, client, options, [oauth.jwksCache]: keys };
}

async function documentOf(
  ctx: Context,
  { kind, settings }: IdentityProvider,
  issuer: string,
  options: ProviderEndpoints["options"],
  atMostAge: number,
): Promise<Known> {
  const known = documents.get(ctx.db) ?? new Map<string, Known>();
  documents.set(ctx.db, known);
  const found = known.get(issuer);
  const age = found && ctx.clock() - found.readAt;
  if (found && age !== undefined && age >= 0 && age < atMostAge) return found;
  const failure = failures.get(ctx.db)?.get(issuer);
  if (failure && ctx.clock() - failure.at < RETRY_AFTER_FAILURE) throw failure.error;
  try {
    return await readDocument(ctx, known, { kind, settings }, issuer, options);
  } catch (error) {
    const failed = failures.get(ctx.db) ?? new Map();
    failures.set(ctx.db, failed.size >= MAX_DOCUMENTS ? new Map() : failed);
    failures.get(ctx.db)?.set(issuer, { error, at: ctx.clock() });
    throw error;
  }
}

async function readDocument(
  ctx: Context,
  known: Map<string, Known>,
  { kind, settings }: Pick<IdentityProvider, "kind" | "settings">,
  issuer: string,
  options: ProviderEndpoints["options"],
): Promise<Known> {
  const response = await oauth.discoveryRequest(new URL(issuer), options);
  const as =
    kind === "azure"
      ? await microsoftDocument(response, settings)
      : await oauth.processDiscoveryResponse(new URL(issuer), response);
  if (known.size >= MAX_DOCUMENTS) known.clear();
  const read = { as, keys: {}, readAt: ctx.clock() };
  known.set(issuer, read);
  return read;
}

/** The issuer in the document of several tenants, in which each id_token has its own tenant. */
const ANY_TENANT = "https://login.microsoftonline.com/{tenantid}/v2.0";
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The document of a tenant that is named by its domain, or of `consumers`, has the tenant's id in its issuer. */
async function microsoftDocument(
  response: Response,
  settings: IdentityProviderSettings,
): Promise<oauth.AuthorizationServer> {
  const document = response.status === 200 ? ((await response.json()) as oauth.AuthorizationServer) : undefined;
  const issuer = String(document?.issuer);
  const [, id = ""] = /^https:\/\/login\.microsoftonline\.com\/([^/]+)\/v2\.0$/.exec(issuer) ?? [];
  const named = microsoftTenant(settings).toLowerCase();
  const isNamed = TENANT_ID.test(id) && (id === named || !TENANT_ID.test(named));
  if (!document || !(isOneTenant(settings) ? isNamed : issuer === ANY_TENANT)) {
    throw new Error("the document is not that of the issuer");
  }
  return document;
}

/**
 * Returns the server as the issuer of the tenant that an id_token names, if the document is that of several tenants.
 * The library compares it with the `iss` of the id_token.
 */
export function ofTenant(as: oauth.AuthorizationServer, tenant: unknown): oauth.AuthorizationServer {
  if (as.issuer !== ANY_TENANT || typeof tenant !== "string") return as;
  return { ...as, issuer: ANY_TENANT.replace("{tenantid}", tenant) };
}

/** Returns how the client authenticates. @throws if its secret cannot be opened */
export async function clientAuthOf(
  provider: IdentityProvider,
  as: oauth.AuthorizationServer,
): Promise<oauth.ClientAuth> {
  const { kind, secret, settings } = provider;
  if (secret === null) return oauth.None();
  if (secret === undefined) throw new Error("the key that sealed the client secret is lost");
  if (kind === "apple") return oauth.ClientSecretPost(await appleSecret(settings, secret));
  const methods = as.token_endpoint_auth_methods_supported;
  const takesBasic =
    kind === "oidc" || kind === "gitlab_self_hosted" ? !methods?.includes("client_secret_post") : false;
  return takesBasic ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

/** Returns a client secret for Apple: a JWT that lasts minutes, signed with the team's key. */
async function appleSecret(
  { clientId = "", teamId = "", keyId = "" }: IdentityProviderSettings,
  privateKey: string,
): Promise<string> {
  const jwt = new SignJWT().setProtectedHeader({ alg: "ES256", kid: keyId });
  jwt.setIssuer(teamId).setSubject(clientId).setAudience(APPLE).setIssuedAt().setExpirationTime("5m");
  return jwt.sign(await importPKCS8(privateKey, "ES256"));
}

/** Returns the code of an error, of which nothing but letters is repeated. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === "string" ? error.replace(/[^\w-]/g, "").slice(0, 60) : undefined;

/** Returns the error in a response of a token endpoint; GitHub sends errors with the status 200. */
export async function errorIn(response: Response): Promise<string | undefined> {
  try {
    return errorCode(((await response.json()) as { error?: unknown }).error);
  } catch {
    return undefined;
  }
}
