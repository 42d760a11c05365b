/**
 * The management APIs as an audience. A token for them has all permissions of its user, so an app cannot simply request
 * it: only the console, an app that the instance permits, and a machine for itself get one (rule TRUST-2; attack: an
 * app of any organization that an administrator of the service happens to visit).
 */
import { scopeAudience } from "./scope";

/**
 * The audience for this service itself: requested with `urn:service:iam:org:project:id:service:aud` and required by its
 * own APIs. No project, app or machine may have this id: its tokens would then be accepted by those APIs.
 */
export const serviceAudience = "service";

/** Whether a scope requests tokens for the management APIs, under any of its names. */
export const isManagementScope = (scope: string): boolean => scopeAudience([scope]).includes(serviceAudience);

export const asksToManage = (scope: readonly string[]): boolean => scope.some(isManagementScope);

/**
 * Returns the scope without the right to manage, unless the client may have it. Dropped like an unknown one: never
 * granted.
 */
export function manageableScope(scope: readonly string[], { mayManage }: { mayManage: boolean }): string[] {
  return scope.filter((one) => mayManage || !isManagementScope(one));
}

/** Returns the audience without the management APIs, unless the client may have it. */
export function manageableAudience(audience: readonly string[], { mayManage }: { mayManage: boolean }): string[] {
  return audience.filter((one) => mayManage || one !== serviceAudience);
}
