/** Registers apps. Settings that can never work are rejected. */
import { randomSecret } from "../../crypto/random";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { onUniqueViolation } from "../change";
import { changeInProject, type ProjectRef } from "../change-project";
import { idTaken } from "../identifiers";
import { refuseKeyAddress } from "../key-address";
import { refuseAddresses } from "./addresses";
import { type AppFields, addApp } from "./app";
import {
  type AppTrust,
  appTrustFields,
  checkAppTrust,
  checkConnections,
  mayConnectApps,
  mayTrustApps,
  UNTRUSTED,
} from "./app-trust";
import { usesSecret } from "./secret";
import { refuseSector } from "./sector";
import type { ApiSettings, OidcSettings } from "./settings";

interface Registered {
  /** Generated if omitted, as is the client id. */
  appId?: string;
  name: string;
  clientId?: string;
  /** Generated if omitted and the app authenticates with a secret. */
  clientSecret?: string;
  jwks?: AppFields["jwks"];
}

export type Registration = Registered &
  ({ kind: "oidc"; settings: OidcSettings; trust: AppTrust } | { kind: "api"; settings: ApiSettings });

/**
 * Registers an app.
 * @param ctx this function checks whether its actor may vouch for the app in the instance's name
 * @returns the secret only if it was generated here; it cannot be read again
 */
export async function registerApp(
  ctx: OriginContext,
  ref: ProjectRef,
  { appId, clientSecret, ...app }: Registration,
): Promise<{ appId: string; clientId: string; clientSecret?: string } | ApiError> {
  const refusal = app.kind === "oidc" ? await refuseOidc(ctx, ref, app) : refuseKeyAddress(ctx, app.settings.jwksUri);
  if (refusal) return refusal;
  const { kind, name, clientId, jwks, settings } = app;
  const made = clientSecret === undefined && usesSecret(settings) ? randomSecret() : undefined;
  const granted = app.kind === "oidc" ? appTrustFields(app.trust) : {};
  const fields = {
    id: appId,
    kind,
    name,
    clientId,
    jwks,
    settings,
    secret: clientSecret ?? made,
    ...granted,
    ...ref,
  };
  const added = await onUniqueViolation(
    () => idTaken("app"),
    () => changeInProject(ctx, ref, (ctx) => addApp(ctx, fields)),
  );
  if (isApiError(added)) return added;
  return { appId: added.id, clientId: added.clientId, ...(made !== undefined && { clientSecret: made }) };
}

async function refuseOidc(
  ctx: OriginContext,
  { organizationId }: ProjectRef,
  { settings, trust }: { settings: OidcSettings; trust: AppTrust },
) {
  const wrong = refuseAddresses(ctx, settings) ?? (await refuseSector(ctx, settings));
  if (wrong) return wrong;
  const unconnected = checkConnections({}, settings);
  if (unconnected && !(await mayConnectApps(ctx, ctx.origin.actor, organizationId))) return unconnected;
  return (await mayTrustApps(ctx, ctx.origin.actor)) ? undefined : checkAppTrust(UNTRUSTED, trust);
}
