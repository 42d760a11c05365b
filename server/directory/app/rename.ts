/** Renaming an app. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { changeApp } from "./app";
import { type AppPlace, changeInApp } from "./change";

/** @returns whether anything changed */
export function renameApp(ctx: Context, place: AppPlace, name: string, origin: Origin): Promise<boolean | ApiError> {
  return changeInApp(ctx, place, origin, (tx, stored, { organizationId }) =>
    changeApp(ctx, tx, stored, organizationId, { name }, origin),
  );
}
