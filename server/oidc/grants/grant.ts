/**
 * The parts of a grant. The token endpoint makes the same checks in the same order for every grant: the DPoP proof, who
 * the client is, whether the grant is switched on, whether this client may use it, and then the grant's own parameters
 * (rule TOKEN-1). A request that names no client gets the errors of its parameters first.
 */
import type { Context } from "../../context";
import type { InstanceFeature } from "../../directory/features";
import { isEnabled } from "../../directory/instance";
import type { Client, ClientAuthenticationMethod } from "../../protocol/client";
import type { TokenGrantType } from "../../protocol/grant-type";
import {
  invalidDpopProof,
  invalidRequest,
  isError,
  type OAuthError,
  unauthorizedClient,
  unsupportedGrantType,
} from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { tickGrant } from "../../protocol/setting-names";
import { bindingTo } from "../../protocol/token-binding";
import { authenticateClient, namedClient, type OAuthHttpRequest } from "../client-authentication";
import { checkProofAlgorithm, checkProofNonce, type KeyProof, provenKey, readProof } from "../dpop";
import { authenticateMachine } from "../machine-client";
import type { TokenResponse } from "../token-response";

/** A grant as the token endpoint, discovery and their tests use it. */
export interface Grant {
  /** The value of `grant_type`. */
  grantType: TokenGrantType;
  /** How a client may authenticate; empty if the assertion itself identifies the client (RFC 7521 §4.1). */
  methods: readonly ClientAuthenticationMethod[];
  /**
   * The feature of the instance that the grant depends on, and the error while it is off; undefined if it is always on.
   */
  feature?: { name: InstanceFeature; whileOff: string };
  /** Parses the grant's own parameters. Repeated parameters were rejected before. */
  parse(form: Parameters): { grantType: TokenGrantType } | OAuthError;
  /** Returns tokens, or why none are issued. */
  answer(ctx: Context, http: OAuthHttpRequest): Promise<TokenResponse | OAuthError>;
}

/** A grant whose client authenticates itself; `Requester` is the result of its authentication. */
interface GrantOf<Requester, Request extends { grantType: TokenGrantType }> extends Omit<Grant, "answer" | "parse"> {
  /** Returns the requester, or why it could not be authenticated (§2.3). */
  authenticate(ctx: Context, http: OAuthHttpRequest): Promise<Requester | OAuthError>;
  /** Whether the requester is registered for the grant (§5.2). */
  mayUse(requester: Requester): boolean;
  parse(form: Parameters): Request | OAuthError;
  /** The requester as an app, if it is one: apps have rules for proofs. */
  appOf(requester: Requester): Client | undefined;
  /** Whether tokens for the requester must be bound to a key (RFC 9449 §5.2). */
  needsProof(requester: Requester): boolean;
  /** Whether they must be bound to its certificate (RFC 8705 §3). */
  needsCertificate(requester: Requester): boolean;
  /** Whether `issue` consumes the proof, in one unit with the token. */
  consumesProof?: true;
  /**
   * @param binding what the tokens are bound to (token-binding.ts)
   * @param proof the proof to consume, if `consumesProof`
   */
  issue(
    ctx: Context,
    requester: Requester,
    request: Request,
    binding: string | undefined,
    proof: KeyProof | undefined,
  ): Promise<TokenResponse | OAuthError>;
}

/** Returns the grant, with the order of its checks. */
export function authenticatedGrant<Requester extends object, Request extends { grantType: TokenGrantType }>(
  grant: GrantOf<Requester, Request>,
): Grant {
  const { grantType, methods, feature, parse } = grant;
  return {
    grantType,
    methods,
    feature,
    parse,
    async answer(ctx, http) {
      if (!namesClient(http)) {
        if (feature && !(await isEnabled(ctx, feature.name))) return unsupportedGrantType(feature.whileOff);
        const malformed = parse(http.form);
        if (isError(malformed)) return malformed;
      }
      // A request for a nonce must not use up the client's assertion; without one, the client need not be found twice.
      const isEarly = http.form.has("client_assertion");
      const proof = isEarly ? await tokenProof(ctx, http) : await proofOf(ctx, http);
      if (isError(proof)) return proof;
      const requester = await grant.authenticate(ctx, http);
      if (isError(requester)) return requester;
      const unfit = proof && !isEarly ? checkProof(ctx, grant.appOf(requester), proof) : undefined;
      if (unfit) return unfit;
      if (feature && !(await isEnabled(ctx, feature.name))) return unsupportedGrantType(feature.whileOff);
      if (!grant.mayUse(requester)) {
        return notRegistered(grantType, requester);
      }
      const request = parse(http.form);
      if (isError(request)) return request;
      if (!proof && grant.needsProof(requester)) return invalidDpopProof("this client must send a DPoP proof");
      const certificate = grant.needsCertificate(requester) ? http.certificate?.thumbprint : undefined;
      if (certificate === undefined && grant.needsCertificate(requester)) {
        return invalidRequest("this client must send its certificate, at an address of mtls_endpoint_aliases");
      }
      const jkt = grant.consumesProof ? proof?.jkt : await provenKey(ctx, proof);
      return isError(jkt) ? jkt : grant.issue(ctx, requester, request, bindingTo(jkt, certificate), proof);
    },
  };
}

/** Returns a grant for apps that are authenticated by a method it accepts and registered for it. */
export function clientGrant<Request extends { grantType: TokenGrantType }>(
  grant: Omit<GrantOf<Client, Request>, "authenticate" | "mayUse" | "appOf" | "needsProof" | "needsCertificate">,
): Grant {
  const { grantType, methods } = grant;
  return authenticatedGrant<Client, Request>({
    ...grant,
    async authenticate(ctx, http) {
      const client = await authenticateClient(ctx, http, methods);
      if (!isError(client)) return client;
      // A machine is a client as well and has authenticated: the error should not suggest a wrong secret (§5.2).
      const machine = await authenticateMachine(ctx, http);
      return machine && !isError(machine) ? notRegistered(grantType, machine) : client;
    },
    mayUse: (client) => client.grantTypes.includes(grantType),
    appOf: (client) => client,
    needsProof: (client) => client.dpopBoundAccessTokens,
    needsCertificate: (client) => client.tlsClientCertificateBoundAccessTokens,
  });
}

/**
 * Returns the DPoP proof of a token or PAR request, with a nonce if the named app requires one; undefined without a
 * proof.
 */
export async function tokenProof(ctx: Context, http: OAuthHttpRequest): Promise<KeyProof | undefined | OAuthError> {
  const proof = await proofOf(ctx, http);
  if (!proof || isError(proof)) return proof;
  return checkProof(ctx, await namedClient(ctx, http), proof) ?? proof;
}

const proofOf = (ctx: Context, { dpop, path }: OAuthHttpRequest) => readProof(ctx, { dpop, method: "POST", path });

/** Returns the error for a proof that does not follow the rules of the app. */
function checkProof(ctx: Context, app: Client | undefined, proof: KeyProof): OAuthError | undefined {
  if (!app) return undefined;
  return checkProofAlgorithm(app, proof) ?? (app.dpopRequireNonce ? checkProofNonce(ctx, proof) : undefined);
}

/**
 * Returns the error for a client that may not use the grant (RFC 6749 §5.2), with a hint for apps that users sign in
 * to: only they can be registered for further grants.
 */
export function notRegistered(grantType: TokenGrantType, requester: object): OAuthError {
  const isApp = "kind" in requester && requester.kind === "oidc";
  const wayOut = isApp ? tickGrant(grantType) : undefined;
  const problem = `this client is not registered for grant type ${grantType}`;
  return unauthorizedClient(wayOut === undefined ? problem : `${problem}; ${wayOut}`);
}

/**
 * Whether the request names a client that could authenticate. Wrong credentials are reported before a missing
 * parameter, as in servers that authenticate first (§3.2.1): otherwise a developer with a mistyped secret would look
 * elsewhere. If no client is named, missing parameters are reported first.
 */
function namesClient({ authorization, form }: OAuthHttpRequest): boolean {
  return authorization !== undefined || form.has("client_id") || form.has("client_assertion");
}
