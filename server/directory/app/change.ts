/**
 * The start of every change to an app: the app is looked up in its project, which stays locked until the change is
 * stored.
 */

import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import { type AppRow, readAppOfProject } from "../../storage/app/app";
import type { AppRef } from "../../storage/app/list";
import type { Transaction } from "../../storage/database";
import type { ProjectRow } from "../../storage/project/project";
import { changeInProject } from "../change-project";
import { type AppTrust, checkAppTrust, mayTrustApps } from "./app-trust";

export type { AppRef };

/** Changes an app. Changes that only take something away from the app use `reduceInApp`. */
export async function changeInApp<T>(
  ctx: Context,
  ref: AppRef,
  origin: Origin,
  work: AppChange<T>,
  wanted: AppTrust = {},
): Promise<T | ApiError> {
  const mayTrust = await mayTrustApps(ctx, origin.actor);
  return reduceInApp(ctx, ref, async (tx, stored, project) => {
    const refusal = mayTrust ? undefined : checkAppTrust(stored, wanted);
    return refusal ?? work(tx, stored, project);
  });
}

export type AppChange<T> = (tx: Transaction, stored: AppRow, project: ProjectRow) => Promise<T | ApiError>;

/** Makes an app less powerful. The app's organization may do so even if the instance trusts the app. */
export function reduceInApp<T>(ctx: Context, ref: AppRef, work: AppChange<T>): Promise<T | ApiError> {
  return changeInProject(ctx, ref, async (tx, project) => {
    const stored = await readAppOfProject(tx, project.id, ref.appId);
    return stored ? work(tx, stored, project) : noSuchApp();
  });
}

export const wrongAppKind = (kind: "oidc" | "api") =>
  failedPrecondition("app.wrong_kind", kind === "oidc" ? "This app is an API." : "This app is no API.");

export const noSuchApp = () => notFound("app.not_found", "The project has no such app. Check both IDs.");
