/**
 * Explains why an authorization request does not work. An administrator of the app enters the URL that the app
 * redirects users to; it is checked with the rules of the authorization endpoint. Nothing is issued, and no one is
 * signed in. An app of another organization and one that does not exist give the same answer.
 */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { requiredOrganization } from "../oidc/app-access";
import { checkMayComeByBrowser } from "../oidc/pushed-request";
import { findRequestTargets } from "../oidc/resources";
import { knownNames } from "../oidc/zitadel-names";
import { parseAuthorizationRequest, readRedirectTarget } from "../protocol/authorization-request";
import type { Client } from "../protocol/client";
import { isError, type OAuthError } from "../protocol/oauth-error";
import { parseParameters } from "../protocol/parameters";
import { sentenceOf } from "../protocol/reason";
import { checkRedirectUri, matchRedirectUri } from "../protocol/redirect-uri";
import { type DifferencePart, differenceOf, likeness } from "../protocol/text-difference";
import type { Caller } from "./caller";
import { checkPermission } from "./permissions";

export type AuthorizeCheck = { valid: true; clientId: string; scope: string } | BrokenRule;

export interface BrokenRule {
  valid: false;
  /** The parameter that first breaks a rule; `url` for the URL itself. */
  rule: string;
  /** The error code that the application or the user gets. */
  error: string;
  description: string;
  /** Where the endpoint would report the error: on its own page, or at the redirect URI. */
  answeredAt: "page" | "redirect_uri";
  redirectUri?: RedirectUriDifference;
}

export interface RedirectUriDifference {
  sent: string;
  /** The most similar registered address; absent if none is registered. */
  closest?: string;
  difference?: DifferencePart[];
  /** Why such an address could not be registered. */
  notRegistrable?: string;
}

export async function checkAuthorizeUrl(ctx: Context, caller: Caller, address: string): Promise<AuthorizeCheck> {
  const endpoint = `${ctx.config.baseUrl}/oauth/v2/authorize`;
  const [base = "", ...rest] = address.split("?");
  if (base !== endpoint) return broken("url", "invalid_request", `the address must begin with ${endpoint}`);
  const query = rest.join("?").split("#")[0] ?? "";
  return checkQuery(ctx, caller, query);
}

async function checkQuery(ctx: Context, caller: Caller, query: string): Promise<AuthorizeCheck> {
  const sent = parseParameters(query);
  const parameters = isError(sent) ? sent : await knownNames(ctx, sent);
  const target = readRedirectTarget(parameters);
  if (isError(target)) return page("url", target);
  const client = await findClient(ctx, target.clientId);
  // in its organization and project
  const unknown = !client || (await checkPermission(ctx, caller, "project.app.read", client));
  if (!client || unknown || client.kind !== "oidc") {
    return broken("client_id", "invalid_request", "client_id names no active application that you manage");
  }
  if (!matchRedirectUri(client, target.redirectUri)) {
    const description = "redirect_uri is not one of the registered addresses";
    const redirectUri = explainRedirectUri(client, target.redirectUri);
    return { ...broken("redirect_uri", "invalid_request", description), redirectUri };
  }
  const request = isError(parameters)
    ? parameters
    : parseAuthorizationRequest(parameters, client, await findRequestTargets(ctx, client, parameters));
  if (isError(request)) return { ...page("url", request), answeredAt: "redirect_uri" };
  const unpushed = await checkMayComeByBrowser(ctx, client, request.redirectUri);
  if (unpushed) return { ...page("url", unpushed), answeredAt: "redirect_uri" };
  const organization = await requiredOrganization(ctx, request.scope);
  if (isError(organization)) return { ...page("scope", organization), answeredAt: "redirect_uri" };
  return { valid: true, clientId: client.clientId, scope: request.scope.join(" ") };
}

function broken(rule: string, error: string, description: string): BrokenRule {
  return { valid: false, rule, error, description, answeredAt: "page" };
}

function page(otherwise: string, { error, description, parameter }: OAuthError): BrokenRule {
  return broken(parameter ?? otherwise, error, description);
}

function explainRedirectUri(client: Client, sent: string): RedirectUriDifference {
  const notRegistrable = checkRedirectUri(sent, client);
  const closest = [...client.redirectUris].sort((a, b) => likeness(b, sent) - likeness(a, sent))[0];
  return {
    sent,
    ...(closest === undefined ? {} : { closest, difference: differenceOf(closest, sent) }),
    ...(notRegistrable === undefined ? {} : { notRegistrable: `redirect_uri ${sentenceOf(notRegistrable)}` }),
  };
}
