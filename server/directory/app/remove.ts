/** Removes apps. */
import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { deleteApp, endTokensOf } from "../../storage/app/app";
import { type AppRef, reduceInApp } from "./change";

/** Removes an app and revokes its tokens, because a new app may get the same client id later. */
export function removeApp(ctx: Context, ref: AppRef, origin: Origin): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (tx, { id, name, clientId }, { organizationId }) => {
    await recordIn(ctx, tx, {
      type: "app.removed",
      object: { id, organizationId },
      origin,
      async state(_, now) {
        await endTokensOf(tx, [clientId], now);
        await deleteApp(tx, id);
        return { payload: { name, clientId } };
      },
    });
    return undefined;
  });
}
