/**
 * Claims about a user for a client (OIDC Core §5.4): the response of userinfo, and the content of an id_token that is
 * issued without an access token. The reserved scopes add organization, metadata and roles.
 */

import type { Context } from "../context";
import { claimsSourceOf, findClaimsSource } from "../directory/user/user";
import { type ClaimsSource, userClaims } from "../protocol/claims";
import type { ClaimsRequest } from "../protocol/claims-request";
import type { Client, TokenClient } from "../protocol/client";
import { type ClaimsAudience, reservedClaims, reservedWish, roleProjects } from "../protocol/reserved-claims";
import type { FlatRoles } from "../protocol/roles-claim";
import { listMetadata } from "../storage/metadata";
import type { ClaimsRow } from "../storage/user/claims";
import { findHomeOrganization, listGrantedRoles } from "../storage/user-grant/user-grant";

export interface WantedClaims {
  scope: readonly string[];
  /** The claims parameter as stored with the grant. */
  claimsRequest: string | null;
  target: keyof ClaimsRequest;
  /** The recipient of the claims. */
  about: ClaimsAudience;
}

/** Returns the claims of the scopes and the claims parameter; undefined if the user no longer exists. */
export async function claimsFor(
  ctx: Context,
  userId: string,
  wanted: WantedClaims,
): Promise<Record<string, unknown> | undefined> {
  const [source, reserved] = await Promise.all([
    findClaimsSource(ctx, userId, wanted.about.organizationId),
    reservedClaimsFor(ctx, userId, wanted.scope, wanted.about),
  ]);
  return source && { ...wantedClaims(source, wanted), ...reserved };
}

/** Like `claimsFor`, for a user whose row was read with the token. */
export async function claimsOf(
  ctx: Context,
  userId: string,
  row: ClaimsRow,
  wanted: WantedClaims,
): Promise<Record<string, unknown>> {
  const source = claimsSourceOf(row, wanted.about.organizationId);
  return { ...wantedClaims(source, wanted), ...(await reservedClaimsFor(ctx, userId, wanted.scope, wanted.about)) };
}

function wantedClaims(source: ClaimsSource, { scope, claimsRequest, target }: WantedClaims) {
  const requested = claimsRequest === null ? undefined : (JSON.parse(claimsRequest) as ClaimsRequest)[target];
  return userClaims(source, scope, Object.keys(requested ?? {}));
}

/** Returns the claims of the reserved scopes; without such a scope nothing is read. */
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
    metadata ? listMetadata(ctx.db, { kind: "user", id: userId }) : undefined,
    projectIds.length > 0 ? listGrantedRoles(ctx.db, userId, projectIds) : undefined,
  ]);
  return reservedClaims(wish, { organization: home, metadata: values, roles: granted }, about.projectId);
}

/**
 * Returns the audience for userinfo and introspection, with roles if a scope requests them or the project asserts them.
 */
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

/** Returns the audience for tokens, with roles only if the app's setting for this kind of token includes them. */
export function tokenClaimsAudience(
  client: TokenClient,
  audience: readonly string[],
  asserted: boolean,
  flatRoles: FlatRoles | undefined,
): ClaimsAudience {
  const { organizationId, projectId } = client;
  return { organizationId, projectId, audience, roles: asserted ? "always" : "never", flatRoles };
}
