/**
 * What every change of an app begins with: it is looked up in its project, which stays locked until the change is
 * stored.
 */

import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import type { AppRef } from "../../storage/app-list";
import { readAppOfProject } from "../../storage/app-list";
import type { AppRow, ProjectRow } from "../../storage/apps";
import type { Transaction } from "../../storage/database";
import { changeInProject } from "../change-project";
import { checkVouching, mayVouch, type Vouching } from "./vouching";

export type { AppRef };

/** Every change of an app but those that only take something away from it. */
export async function changeInApp<T>(
  ctx: Context,
  ref: AppRef,
  origin: Origin,
  work: AppChange<T>,
  wanted: Vouching = {},
): Promise<T | ApiError> {
  const vouches = await mayVouch(ctx, origin.actor);
  return reduceInApp(ctx, ref, async (tx, stored, project) => {
    const refusal = vouches ? undefined : checkVouching(stored, wanted);
    return refusal ?? work(tx, stored, project);
  });
}

export type AppChange<T> = (tx: Transaction, stored: AppRow, project: ProjectRow) => Promise<T | ApiError>;

/** A change that makes an app less powerful, which is its organization's right even where the instance vouches for it. */
export function reduceInApp<T>(ctx: Context, ref: AppRef, work: AppChange<T>): Promise<T | ApiError> {
  return changeInProject(ctx, ref, async (tx, project) => {
    const stored = await readAppOfProject(tx, project.id, ref.appId);
    return stored ? work(tx, stored, project) : noSuchApp();
  });
}

export const wrongAppKind = (kind: "oidc" | "api") =>
  failedPrecondition("app.wrong_kind", kind === "oidc" ? "This app is an API." : "This app is no API.");

export const noSuchApp = () => notFound("app.not_found", "The project has no such app. Check both IDs.");
