/**
 * When a person is asked before an application learns who they are. Nobody vouches for an installed program: any other
 * one on the device can claim its loopback address or scheme (RFC 8252 §8.6), and a third-party app is known by nothing
 * but its registration. All other apps belong to the organization itself, whose people are not asked.
 */
import { serviceAudience } from "./audience";
import type { AuthorizationRequest } from "./authorization-request";
import { scopesOfClaims } from "./claims";
import type { Client } from "./client";
import { isTellingScope, metadataScope, resourceOwnerScope, scopeAudience, scopeRoles } from "./scope";

/**
 * Whether `Continue to <app> as <user>` stands between sign-in and answer. Choice: a browser app on a loopback address
 * is one in development, and an https address that a native app claims is proven by the system (RFC 8252 §7.2).
 */
export function needsConfirmation(
  client: Pick<Client, "applicationType" | "authenticationMethod" | "isThirdParty">,
  redirectUri: string,
): boolean {
  const isPublicNative = client.applicationType === "native" && client.authenticationMethod === "none";
  return client.isThirdParty || (isPublicNative && !/^https:/i.test(redirectUri));
}

/** What a request asks to learn or to be allowed, as scopes; those that only restrict who may sign in are left out. */
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

/** The scopes, grouped into what the page has words for. */
export function disclosuresOf(scope: readonly string[]): Disclosure[] {
  const roles = scopeRoles(scope);
  const audience = scopeAudience(scope);
  const holds: Record<Disclosure, boolean> = {
    profile: scope.includes("profile"),
    email: scope.includes("email"),
    phone: scope.includes("phone"),
    address: scope.includes("address"),
    organization: scope.includes(resourceOwnerScope),
    roles: roles.keys.length > 0 || roles.allProjects,
    metadata: scope.includes(metadataScope),
    otherApps: audience.some((project) => project !== serviceAudience),
    management: audience.includes(serviceAudience),
    offline: scope.includes("offline_access"),
  };
  return disclosures.filter((disclosure) => holds[disclosure]);
}
