/** Deactivates and reactivates apps. */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { updateApp } from "../../storage/app/app";
import { type AppRef, reduceInApp } from "./change";

/** Activates or deactivates an app. Its tokens are valid only while it is active. */
export function setAppState(
  ctx: Context,
  ref: AppRef,
  state: "active" | "inactive",
  origin: Origin,
): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (tx, stored, { organizationId }) => {
    if (stored.state === state) return failedPrecondition(`app.already_${state}`, `The app is ${state} already.`);
    await recordIn(ctx, tx, {
      type: state === "active" ? "app.reactivated" : "app.deactivated",
      object: { id: stored.id, organizationId },
      origin,
      async state(_, now) {
        await updateApp(tx, stored.id, { state }, now);
        return {};
      },
    });
    return undefined;
  });
}
