/**
 * The start of every change to an app: the app is looked up in its project, which stays locked until the change is
 * stored.
 */

import type { ChangeContext, OriginContext } from "../../events/record";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import { type AppRow, readAppOfProject } from "../../storage/app/app";
import type { AppRef } from "../../storage/app/list";
import type { ProjectRow } from "../../storage/project/project";
import { changeInProject } from "../change-project";
import { type AppTrust, checkAppTrust, mayTrustApps } from "./app-trust";

export type { AppRef };

/** Changes an app. Changes that only take something away from the app use `reduceInApp`. */
export async function changeInApp<T>(
  ctx: OriginContext,
  ref: AppRef,
  work: AppChange<T>,
  wanted: AppTrust = {},
): Promise<T | ApiError> {
  const mayTrust = await mayTrustApps(ctx, ctx.origin.actor);
  return reduceInApp(ctx, ref, async (ctx, stored, project) => {
    const refusal = mayTrust ? undefined : checkAppTrust(stored, wanted);
    return refusal ?? work(ctx, stored, project);
  });
}

export type AppChange<T> = (ctx: ChangeContext, stored: AppRow, project: ProjectRow) => Promise<T | ApiError>;

/** Makes an app less powerful. The app's organization may do so even if the instance trusts the app. */
export function reduceInApp<T>(ctx: OriginContext, ref: AppRef, work: AppChange<T>): Promise<T | ApiError> {
  return changeInProject(ctx, ref, async (ctx, project) => {
    const stored = await readAppOfProject(ctx.tx, project.id, ref.appId);
    return stored ? work(ctx, stored, project) : noSuchApp();
  });
}

export const wrongAppKind = (kind: "oidc" | "api") =>
  failedPrecondition("app.wrong_kind", kind === "oidc" ? "This app is an API." : "This app is no API.");

export const noSuchApp = () => notFound("app.not_found", "The project has no such app. Check both IDs.");
