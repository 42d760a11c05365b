/**
 * When a person is asked before an application learns who they are. Nobody vouches for an installed program: any other
 * one on the device can claim its loopback address or scheme (RFC 8252 §8.6). A third-party app, and one of another
 * organization, is known by nothing but its registration. An app of the person's own organization, or one that the
 * instance trusts, is let in without asking, unless it reaches for what belongs to others or wants to manage.
 */

import type { AuthorizationRequest } from "./authorization-request";
import { scopesOfClaims } from "./claims";
import type { Client } from "./client";
import { asksToManage, serviceAudience } from "./management";
import {
  isTellingScope,
  metadataScope,
  resourceOwnerScope,
  scopeAudience,
  scopeOrganizations,
  scopeRoles,
} from "./scope";
import { type ProjectOwners, reachesOthers, relationTo } from "./trust";

type AskedClient = Pick<
  Client,
  "applicationType" | "authenticationMethod" | "isThirdParty" | "organizationId" | "standing"
>;

/** What an app asks of a person. */
export interface Asked {
  redirectUri: string;
  scope: readonly string[];
  /** Of the projects that the scope names. */
  owners: ProjectOwners;
  person: { organizationId: string };
}

/**
 * Whether `Continue to <app> as <user>` stands between sign-in and answer. Choice: a browser app on a loopback address
 * is one in development, and an https address that a native app claims is proven by the system (RFC 8252 §7.2).
 */
export function needsConfirmation(client: AskedClient, { redirectUri, scope, owners, person }: Asked): boolean {
  const relation = relationTo(client, person);
  if (relation === "service") return false;
  const isPublicNative = client.applicationType === "native" && client.authenticationMethod === "none";
  return (
    client.isThirdParty ||
    (isPublicNative && !/^https:/i.test(redirectUri)) ||
    relation === "foreign" ||
    reachesOthers(client, owners) ||
    asksToManage(scope)
  );
}

/** What a request asks to learn or to be allowed, as scopes; those that tell nothing are left out. */
export function scopeToConfirm({
  scope,
  claimsRequest,
}: Pick<AuthorizationRequest, "scope" | "claimsRequest">): string[] {
  const claims = Object.keys({ ...claimsRequest?.userinfo, ...claimsRequest?.idToken });
  return [...new Set([...scope, ...scopesOfClaims(claims)])].filter(isTellingScope);
}

/** What the confirmation page says an application receives, in this order. */
export const disclosures = [
  "profile",
  "email",
  "phone",
  "address",
  "organization",
  "roles",
  "metadata",
  "otherApps",
  "management",
  "offline",
] as const;
export type Disclosure = (typeof disclosures)[number];

/**
 * The scopes, grouped into what the page has words for. Those of projects are in their own words (project-scope.ts).
 * @param client which of it the app receives without asking
 */
export function disclosuresOf(scope: readonly string[], client?: Pick<Client, "project" | "rolesClaim">): Disclosure[] {
  const roles = scopeRoles(scope);
  const audience = scopeAudience(scope);
  const organizations = scopeOrganizations(scope);
  const holds: Record<Disclosure, boolean | undefined> = {
    profile: scope.includes("profile"),
    email: scope.includes("email"),
    phone: scope.includes("phone"),
    address: scope.includes("address"),
    // A scope that admits only one organization's people tells which one it was.
    organization:
      scope.includes(resourceOwnerScope) || [organizations.ids, organizations.domains].some((some) => some.length > 0),
    roles:
      roles.keys.length > 0 ||
      roles.allProjects ||
      client?.project.roleAssertion ||
      (client && client.rolesClaim !== undefined),
    metadata: scope.includes(metadataScope),
    otherApps: audience.some((project) => project !== serviceAudience),
    management: audience.includes(serviceAudience),
    offline: scope.includes("offline_access"),
  };
  return disclosures.filter((disclosure) => holds[disclosure]);
}
