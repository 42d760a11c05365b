/**
 * When a person is asked before an application learns who he is. Nobody vouches for an installed program: any other one
 * on the device can claim its loopback address or scheme (RFC 8252 §8.6), and an app of somebody else's is only known
 * by its registration. Everything else belongs to the organization that runs it, and its people are not asked.
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

/** What a request wants to be told or allowed, as scopes: those that only say whose sign-in it is are left out. */
export function scopeToConfirm({
  scope,
  claimsRequest,
}: Pick<AuthorizationRequest, "scope" | "claimsRequest">): string[] {
  const claims = Object.keys({ ...claimsRequest?.userinfo, ...claimsRequest?.idToken });
  return [...new Set([...scope, ...scopesOfClaims(claims)])].filter(isTellingScope);
}

/** What a person is told an application gets, in this order. */
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

/** The scopes in kinds that there are words for. */
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
