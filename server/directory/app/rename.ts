/** Renames an app. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { changeApp } from "./app";
import { type AppRef, changeInApp } from "./change";

/**
 * Renames an app.
 * @returns whether anything changed
 */
export function renameApp(ctx: Context, ref: AppRef, name: string, origin: Origin): Promise<boolean | ApiError> {
  return changeInApp(ctx, ref, origin, (tx, stored, { organizationId }) =>
    changeApp(ctx, tx, stored, organizationId, { name }, origin),
  );
}
