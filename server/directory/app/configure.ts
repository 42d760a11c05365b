/** Changes apps: their settings, name and state. Removes them. */
import { type OriginContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { deleteApp, endTokensOf, updateApp } from "../../storage/app/app";
import { findApp } from "../../storage/app/list";
import { refuseKeyAddress } from "../key-address";
import { refuseAddresses } from "./addresses";
import { type AppFields, changeApp } from "./app";
import { type AppTrust, appTrustFields, checkConnections, mayConnectApps } from "./app-trust";
import { type AppRef, changeInApp, reduceInApp, wrongAppKind } from "./change";
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
  ctx: OriginContext,
  ref: AppRef,
  { name, settings, jwks, trust }: Configuration<OidcSettings> & { trust: AppTrust },
): Promise<{ hasKeys: boolean } | ApiError> {
  const before = await findApp(ctx.db, ref);
  const unlisted = before && (await refuseSector(ctx, settings, before.settings as OidcSettings));
  if (unlisted) return unlisted;
  const mayConnect = await mayConnectApps(ctx, ctx.origin.actor, ref.organizationId);
  const changed = await changeInApp(
    ctx,
    ref,
    async (ctx, stored, { organizationId }) => {
      if (stored.kind !== "oidc") return wrongAppKind("oidc");
      const fields = { name, settings, jwks, ...appTrustFields(trust) };
      const refusal = mayConnect ? undefined : checkConnections(stored.settings as OidcSettings, settings);
      return refusal ?? refuseAddresses(ctx, settings) ?? changeApp(ctx, stored, organizationId, fields);
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
  ctx: OriginContext,
  ref: AppRef,
  { name, settings, jwks }: Configuration<ApiSettings>,
): Promise<boolean | ApiError> {
  return changeInApp(ctx, ref, async (ctx, stored, { organizationId }) => {
    if (stored.kind !== "api") return wrongAppKind("api");
    const refusal = refuseKeyAddress(ctx, settings.jwksUri);
    return refusal ?? changeApp(ctx, stored, organizationId, { name, settings, jwks });
  });
}

/**
 * Renames an app.
 * @returns whether anything changed
 */
export function renameApp(ctx: OriginContext, ref: AppRef, name: string): Promise<boolean | ApiError> {
  return changeInApp(ctx, ref, (ctx, stored, { organizationId }) => changeApp(ctx, stored, organizationId, { name }));
}

/** Activates or deactivates an app. Its tokens are valid only while it is active. */
export function setAppState(
  ctx: OriginContext,
  ref: AppRef,
  state: "active" | "inactive",
): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (ctx, stored, { organizationId }) => {
    if (stored.state === state) return failedPrecondition(`app.already_${state}`, `The app is ${state} already.`);
    await recordIn(ctx, {
      type: state === "active" ? "app.reactivated" : "app.deactivated",
      object: { id: stored.id, organizationId },
      async state(_, now) {
        await updateApp(ctx.tx, stored.id, { state }, now);
        return {};
      },
    });
    return undefined;
  });
}

/** Removes an app and revokes its tokens, because a new app may get the same client id later. */
export function removeApp(ctx: OriginContext, ref: AppRef): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (ctx, { id, name, clientId }, { organizationId }) => {
    await recordIn(ctx, {
      type: "app.removed",
      object: { id, organizationId },
      async state(_, now) {
        await endTokensOf(ctx.tx, [clientId], now);
        await deleteApp(ctx.tx, id);
        return { payload: { name, clientId } };
      },
    });
    return undefined;
  });
}
