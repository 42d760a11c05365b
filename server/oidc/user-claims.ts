/**
 * Claims about a user for a client (OIDC Core §5.4): the response of userinfo, and what an id_token carries where no
 * access token is issued with it. The reserved scopes add organization, metadata and roles.
 */
import type { Context } from "../context";
import { findClaimsSource } from "../directory/user/user";
import { userClaims } from "../protocol/claims";
import type { ClaimsRequest } from "../protocol/claims-request";
import type { Client, TokenClient } from "../protocol/client";
import { type ClaimsAudience, reservedClaims, reservedWish, roleProjects } from "../protocol/reserved-claims";
import type { FlatRoles } from "../protocol/roles-claim";
import { findHomeOrganization, listGrantedRoles, listMetadata } from "../storage/user-grants";

export interface WantedClaims {
  scope: readonly string[];
  /** The claims parameter as stored with the grant. */
  claimsRequest: string | null;
  target: keyof ClaimsRequest;
  /** Who receives them. */
  about: ClaimsAudience;
}

/** The claims of the scopes and the claims parameter; undefined if the user is gone. */
export async function claimsFor(
  ctx: Context,
  userId: string,
  { scope, claimsRequest, target, about }: WantedClaims,
): Promise<Record<string, unknown> | undefined> {
  const [source, reserved] = await Promise.all([
    findClaimsSource(ctx, userId, about.organizationId),
    reservedClaimsFor(ctx, userId, scope, about),
  ]);
  if (!source) return undefined;
  const requested = claimsRequest === null ? undefined : (JSON.parse(claimsRequest) as ClaimsRequest)[target];
  return { ...userClaims(source, scope, Object.keys(requested ?? {})), ...reserved };
}

/** The claims of the reserved scopes; without such a scope nothing is read. */
export async function reservedClaimsFor(
  ctx: Context,
  userId: string,
  scope: readonly string[],
  about: ClaimsAudience,
): Promise<Record<string, unknown>> {
  const wish = reservedWish(scope, about);
  const { organizationId, primaryDomain, resourceOwner, metadata } = wish;
  const projectIds = roleProjects(wish);
  const [home, values, granted] = await Promise.all([
    organizationId || primaryDomain || resourceOwner ? findHomeOrganization(ctx.db, userId) : undefined,
    metadata ? listMetadata(ctx.db, userId) : undefined,
    projectIds.length > 0 ? listGrantedRoles(ctx.db, userId, projectIds) : undefined,
  ]);
  return reservedClaims(wish, { organization: home, metadata: values, roles: granted }, about.projectId);
}

/** For userinfo and introspection: roles where a scope asks for them, or the project asserts them. */
export function claimsAudienceOf(
  client: Client | undefined,
  audience: readonly string[],
  flatRoles: FlatRoles | undefined,
): ClaimsAudience {
  return {
    organizationId: client?.organizationId,
    projectId: client?.projectId,
    audience,
    roles: client?.project.roleAssertion ? "always" : "asked",
    flatRoles,
  };
}

/** For tokens: roles only where the app's setting for this kind of token says so, then always. */
export function tokenClaimsAudience(
  client: TokenClient,
  audience: readonly string[],
  asserted: boolean,
  flatRoles: FlatRoles | undefined,
): ClaimsAudience {
  const { organizationId, projectId } = client;
  return { organizationId, projectId, audience, roles: asserted ? "always" : "never", flatRoles };
}
