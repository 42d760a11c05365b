/** Replaces the settings of an app. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { findApp } from "../../storage/app/list";
import { refuseKeyAddress } from "../key-address";
import { refuseAddresses } from "./addresses";
import { type AppFields, changeApp } from "./app";
import { type AppTrust, appTrustFields, checkConnections, mayConnectApps } from "./app-trust";
import { type AppRef, changeInApp, wrongAppKind } from "./change";
import { hasKeys } from "./list";
import { refuseSector } from "./sector";
import type { ApiSettings, OidcSettings } from "./settings";

interface Configuration<Settings> {
  /** Kept if omitted. */
  name?: string;
  /** All settings; an omitted one gets its default. */
  settings: Settings;
  /** A credential, so it is kept if omitted; null removes it. */
  jwks?: AppFields["jwks"];
}

/**
 * Replaces the settings of an OIDC app. What the instance grants is kept if omitted.
 * @returns whether the app has a key to verify its assertions with
 */
export async function configureOidcApp(
  ctx: Context,
  ref: AppRef,
  { name, settings, jwks, trust }: Configuration<OidcSettings> & { trust: AppTrust },
  origin: Origin,
): Promise<{ hasKeys: boolean } | ApiError> {
  const before = await findApp(ctx.db, ref);
  const unlisted = before && (await refuseSector(ctx, settings, before.settings as OidcSettings));
  if (unlisted) return unlisted;
  const mayConnect = await mayConnectApps(ctx, origin.actor, ref.organizationId);
  const changed = await changeInApp(
    ctx,
    ref,
    origin,
    async (tx, stored, { organizationId }) => {
      if (stored.kind !== "oidc") return wrongAppKind("oidc");
      const fields = { name, settings, jwks, ...appTrustFields(trust) };
      const refusal = mayConnect ? undefined : checkConnections(stored.settings as OidcSettings, settings);
      return refusal ?? refuseAddresses(ctx, settings) ?? changeApp(ctx, tx, stored, organizationId, fields, origin);
    },
    trust,
  );
  if (isApiError(changed)) return changed;
  const row = await findApp(ctx.db, ref);
  return { hasKeys: row !== undefined && hasKeys(row) };
}

/**
 * Replaces the settings of an API app.
 * @returns whether anything changed
 */
export function configureApiApp(
  ctx: Context,
  ref: AppRef,
  { name, settings, jwks }: Configuration<ApiSettings>,
  origin: Origin,
): Promise<boolean | ApiError> {
  return changeInApp(ctx, ref, origin, async (tx, stored, { organizationId }) => {
    if (stored.kind !== "api") return wrongAppKind("api");
    const refusal = refuseKeyAddress(ctx, settings.jwksUri);
    return refusal ?? changeApp(ctx, tx, stored, organizationId, { name, settings, jwks }, origin);
  });
}
