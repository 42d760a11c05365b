/**
 * What the instance grants an app: to be trusted like an app of each user's own organization, and to get tokens for the
 * management APIs (protocol/trust, protocol/management). Both affect the users of all organizations. The app's own
 * organization can therefore not grant them, and cannot change an app that has them: with another redirect URI, secret,
 * key or name, it would be a different app under a familiar name.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Context } from "../../context";
import { type ApiError, permissionDenied } from "../../protocol/api-error";
import { hasPermission } from "../member/permissions";
import type { OidcSettings } from "./settings";

export const appTrustShape = {
  trusted: z
    .boolean()
    .meta({ description: "Users of all organizations get no more prompts than from their own organization's apps" }),
  allowManagementApi: z
    .boolean()
    .meta({ description: "May use the management APIs in users' names, with their consent each time" }),
};

export const appTrust = z.object(appTrustShape).partial();
export type AppTrust = z.output<typeof appTrust>;

/** The stored columns. */
export interface TrustedApp {
  isTrusted: boolean;
  mayManage: boolean;
}

/** A new app, to which the instance has granted nothing. */
export const UNTRUSTED: TrustedApp = { isTrusted: false, mayManage: false };

/** Returns the columns of the given fields; omitted fields stay unchanged. */
export function appTrustFields({ trusted, allowManagementApi }: AppTrust): {
  isTrusted?: boolean;
  mayManage?: boolean;
} {
  return { isTrusted: trusted, mayManage: allowManagementApi };
}

export function appTrustAnswer({ isTrusted, mayManage }: TrustedApp): Required<AppTrust> {
  return { trusted: isTrusted, allowManagementApi: mayManage };
}

/** Returns whether the caller may change what the instance grants: this requires permission to change the instance. */
export function mayTrustApps(ctx: Context, callerId: string): Promise<boolean> {
  return hasPermission(ctx, callerId, "iam.write");
}

/** Whether the caller may connect apps to authorization servers: this decides for the users of the organization. */
export function mayConnectApps(ctx: Context, callerId: string, organizationId: string): Promise<boolean> {
  return hasPermission(ctx, callerId, "policy.write", { organizationId });
}

/** Returns an error if the settings connect an app to an authorization server to which it is not connected so. */
export function checkConnections(stored: Connections, wanted: Connections): ApiError | undefined {
  const field = "connectedAuthorizationServers";
  const isKnown = (one: unknown) => stored[field]?.some((known) => isDeepStrictEqual(known, one));
  if ((wanted[field] ?? []).every(isKnown)) return undefined;
  const reason = "Only someone who manages the organization can connect an app to an authorization server.";
  return permissionDenied("app.not_yours_to_connect", reason, { field });
}

type Connections = Pick<OidcSettings, "connectedAuthorizationServers">;

/**
 * Returns an error if a caller who may not grant it changes what the instance grants, or changes an app that it trusts.
 * @param wanted the requested values; sending the stored values is no change
 */
export function checkAppTrust(stored: TrustedApp, wanted: AppTrust): ApiError | undefined {
  const stands = appTrustAnswer(stored);
  const grants = (["trusted", "allowManagementApi"] as const).find(
    (name) => wanted[name] !== undefined && wanted[name] !== stands[name],
  );
  if (grants) {
    const reason = `Only someone who manages the instance can change ${grants}.`;
    return permissionDenied("app.not_yours_to_vouch", reason, { field: grants });
  }
  if (!stands.trusted && !stands.allowManagementApi) return undefined;
  return permissionDenied(
    "app.vouched_for",
    "The instance vouches for this app, so only instance administrators can change it. You can still deactivate or delete it.",
  );
}
