/**
 * The console as a client of the service itself (OIDC Core §1.2). It has no row, so it can neither be deactivated by
 * mistake nor get another redirect URI. Its name is reserved (identifiers.ts); another client with that name would
 * share its tokens. It is a public client with PKCE, because this process redeems its codes.
 */
import type { Context } from "../../context";
import type { Client } from "../../protocol/client";
import { serviceAudience } from "../../protocol/management";
import { findOrganizationName } from "../../storage/organization/organization";
import { findInstance } from "../instance";
import { CONSOLE_CLIENT_ID } from "../reserved-names";
import { oidcClient } from "./client";

export const CONSOLE_SCOPE = `openid profile urn:service:iam:org:project:id:${serviceAudience}:aud`;

export const consoleRedirectUri = (ctx: Context): string => `${ctx.config.baseUrl}/console/callback`;

/** Returns the console's client; undefined while the service has no organization, because no user can sign in then. */
export async function findConsoleClient(ctx: Context): Promise<Client | undefined> {
  const { defaultOrganizationId } = await findInstance(ctx);
  if (defaultOrganizationId === null) return undefined;
  const organizationName = await findOrganizationName(ctx.db, defaultOrganizationId);
  if (organizationName === undefined) return undefined;
  return {
    ...oidcClient({
      redirectUris: [consoleRedirectUri(ctx)],
      appType: "OIDC_APP_TYPE_WEB",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      devMode: ctx.config.baseUrl.startsWith("http:"), // The service's own address may use http.
    }),
    clientId: CONSOLE_CLIENT_ID,
    appId: CONSOLE_CLIENT_ID,
    appName: "Console",
    // The project of the service itself: the console's tokens are for the management APIs.
    projectId: serviceAudience,
    organizationId: defaultOrganizationId,
    organizationName,
    standing: "service",
    origin: "administrator",
    mayManage: true,
    kind: "oidc",
    secrets: [],
    jwks: null,
    project: { roleAssertion: false, roleCheck: false, organizationCheck: false, keepsLook: false },
  };
}
