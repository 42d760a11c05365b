/**
 * The management APIs as an audience. A token for them can do whatever its person may do, so no app gets it by asking:
 * only the console, an app that the instance allows to, and a machine for itself (rule TRUST-2; attack:
 * an app of any organization that an administrator of the service happens to visit).
 */

/**
 * The audience that stands for this service itself: what `urn:service:iam:org:project:id:service:aud` asks for, and
 * what its own APIs demand. No project, app or machine may have this id: its tokens would then be accepted by those
 * APIs.
 */
export const serviceAudience = "service";

/** The scope that asks for tokens of the management APIs. */
export const managementScope = `urn:service:iam:org:project:id:${serviceAudience}:aud`;

export const asksToManage = (scope: readonly string[]): boolean => scope.includes(managementScope);

/** The scope without the right to manage, unless the client may have it. Dropped like an unknown one: never granted. */
export function manageableScope(scope: readonly string[], { mayManage }: { mayManage: boolean }): string[] {
  return scope.filter((one) => mayManage || one !== managementScope);
}

/** The audience without the management APIs, unless the client may have it. */
export function manageableAudience(audience: readonly string[], { mayManage }: { mayManage: boolean }): string[] {
  return audience.filter((one) => mayManage || one !== serviceAudience);
}
