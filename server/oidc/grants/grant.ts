/**
 * What a grant is made of. The order in which the token endpoint asks is the same for every grant and stands here: who
 * asks, whether the grant is switched on, whether this client may use it, and only then the grant's own parameters
 * (rule TOKEN-1).
 */
import type { Context } from "../../context";
import type { InstanceFeature } from "../../directory/features";
import { isEnabled } from "../../directory/instance";
import type { Client, ClientAuthenticationMethod } from "../../protocol/client";
import type { TokenGrantType } from "../../protocol/grant-type";
import { isError, type OAuthError, unauthorizedClient, unsupportedGrantType } from "../../protocol/oauth-error";
import type { Parameters } from "../../protocol/parameters";
import { tickGrant } from "../../protocol/setting-names";
import { authenticateClient, type OAuthHttpRequest } from "../client-authentication";
import { authenticateMachine } from "../machine-client";
import type { TokenResponse } from "../token-response";

/** A grant as the token endpoint, discovery and their tests see it. */
export interface Grant {
  /** Its name on the wire. */
  grantType: TokenGrantType;
  /** How a client may authenticate; none where the assertion itself says who asks (RFC 7521 §4.1). */
  methods: readonly ClientAuthenticationMethod[];
  /** The feature of the instance it belongs to, and what is said while that is off; undefined: it is always on. */
  feature?: { name: InstanceFeature; whileOff: string };
  /** Reads the grant's own parameters. Those that are repeated have been refused. */
  parse(form: Parameters): { grantType: TokenGrantType } | OAuthError;
  /** Tokens, or why there are none. */
  answer(ctx: Context, http: OAuthHttpRequest): Promise<TokenResponse | OAuthError>;
}

/** A grant whose client authenticates as itself; `Requester` is what its authentication finds out. */
interface GrantOf<Requester, Request extends { grantType: TokenGrantType }> extends Omit<Grant, "answer" | "parse"> {
  /** Who asks, or why that is not proven (§2.3). */
  authenticate(ctx: Context, http: OAuthHttpRequest): Promise<Requester | OAuthError>;
  /** Whether the requester is registered for the grant (§5.2). */
  mayUse(requester: Requester): boolean;
  parse(form: Parameters): Request | OAuthError;
  issue(ctx: Context, requester: Requester, request: Request): Promise<TokenResponse | OAuthError>;
}

/** The grant, with the order of its checks. */
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
      const requester = await grant.authenticate(ctx, http);
      if (isError(requester)) return requester;
      if (feature && !(await isEnabled(ctx, feature.name))) return unsupportedGrantType(feature.whileOff);
      if (!grant.mayUse(requester)) {
        return notRegistered(grantType, requester);
      }
      const request = parse(http.form);
      return isError(request) ? request : grant.issue(ctx, requester, request);
    },
  };
}

/** A grant of apps: authenticated by a method it accepts, and registered for it. */
export function clientGrant<Request extends { grantType: TokenGrantType }>(
  grant: Omit<GrantOf<Client, Request>, "authenticate" | "mayUse">,
): Grant {
  const { grantType, methods } = grant;
  return authenticatedGrant<Client, Request>({
    ...grant,
    async authenticate(ctx, http) {
      const client = await authenticateClient(ctx, http, methods);
      if (!isError(client)) return client;
      // A machine is a client as well, which has proven who it is: nobody should look for a wrong secret (§5.2).
      const machine = await authenticateMachine(ctx, http);
      return machine && !isError(machine) ? notRegistered(grantType, machine) : client;
    },
    mayUse: (client) => client.grantTypes.includes(grantType),
  });
}

/** RFC 6749 §5.2. Only an app that people sign in to can be registered for further grants. */
export function notRegistered(grantType: TokenGrantType, requester: object): OAuthError {
  const isApp = "kind" in requester && requester.kind === "oidc";
  const wayOut = isApp ? tickGrant(grantType) : undefined;
  const problem = `this client is not registered for grant type ${grantType}`;
  return unauthorizedClient(wayOut === undefined ? problem : `${problem}; ${wayOut}`);
}

/**
 * Whether anybody is named who could authenticate. Wrong credentials are said before a missing parameter, as servers do
 * that authenticate first (§3.2.1): otherwise whoever mistyped a secret would look elsewhere. Where nobody is named, what
 * the form lacks is said first.
 */
function namesClient({ authorization, form }: OAuthHttpRequest): boolean {
  return authorization !== undefined || form.has("client_id") || form.has("client_assertion");
}
