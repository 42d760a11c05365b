/**
 * What every change of an app begins with: it is looked up in its project, which stays locked until the change is
 * stored.
 */
import type { Context } from "../../context";
import { type ApiError, notFound } from "../../protocol/api-error";
import { type AppPlace, readAppOfProject } from "../../storage/app-list";
import type { AppRow, ProjectRow } from "../../storage/apps";
import type { Transaction } from "../../storage/database";
import { changeInProject } from "./change-project";

export type AppChange<T> = (tx: Transaction, stored: AppRow, project: ProjectRow) => Promise<T | ApiError>;

export function changeInApp<T>(ctx: Context, place: AppPlace, work: AppChange<T>): Promise<T | ApiError> {
  return changeInProject(ctx, place, async (tx, project) => {
    const stored = await readAppOfProject(tx, project.id, place.appId);
    return stored ? work(tx, stored, project) : noSuchApp();
  });
}

export const noSuchApp = () => notFound("app.not_found", "There is no such app in the project.");
