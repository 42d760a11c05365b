/**
 * When a user is asked before an application learns who they are. An installed program cannot be authenticated: any
 * other program on the device can claim its loopback address or scheme (RFC 8252 §8.6). A third-party app, and one of
 * another organization, is known only by its registration. An app of the user's own organization, or one that the
 * instance trusts, is admitted without asking, unless it requests access to other organizations' projects or wants to
 * manage the service.
 */

import type { AuthorizationRequest } from "./authorization-request";
import { scopesOfClaims } from "./claims";
import type { Client } from "./client";
import { asksToManage, serviceAudience } from "./management";
import {
  asksForMetadata,
  asksForResourceOwner,
  isTellingScope,
  scopeAudience,
  scopeOrganizations,
  scopeRoles,
} from "./scope";
import { type ProjectOwners, reachesOthers, relationTo } from "./trust";

type AskedClient = Pick<
  Client,
  "applicationType" | "authenticationMethod" | "isThirdParty" | "organizationId" | "origin" | "standing"
>;

/** The request of an app for consent. */
export interface Asked {
  redirectUri: string;
  scope: readonly string[];
  /** The owners of the projects that the scope names. */
  owners: ProjectOwners;
  person: { organizationId: string };
}

/**
 * Whether the page `Continue to <app> as <user>` is shown between sign-in and response. Choice: a browser app on a
 * loopback address is one in development, and an https URI that a native app claims is verified by the operating system
 * (RFC 8252 §7.2).
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

/** Returns what a request asks to learn or to be allowed, as scopes; those that reveal nothing are omitted. */
export function scopeToConfirm({
  scope,
  claimsRequest,
}: Pick<AuthorizationRequest, "scope" | "claimsRequest">): string[] {
  const claims = Object.keys({ ...claimsRequest?.userinfo, ...claimsRequest?.idToken });
  return [...new Set([...scope, ...scopesOfClaims(claims)])].filter(isTellingScope);
}

/** What an application receives, in the order of the confirmation page. */
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
 * Groups the scopes into what the page has texts for. Scopes of projects have their own texts (project-scope.ts).
 * @param client the client, for what the app receives without requesting it
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
    // A scope that admits only one organization's users reveals which one it was.
    organization:
      asksForResourceOwner(scope) || [organizations.ids, organizations.domains].some((some) => some.length > 0),
    roles:
      roles.keys.length > 0 ||
      roles.allProjects ||
      client?.project.roleAssertion ||
      (client && client.rolesClaim !== undefined),
    metadata: asksForMetadata(scope),
    otherApps: audience.some((project) => project !== serviceAudience),
    management: audience.includes(serviceAudience),
    offline: scope.includes("offline_access"),
  };
  return disclosures.filter((disclosure) => holds[disclosure]);
}
