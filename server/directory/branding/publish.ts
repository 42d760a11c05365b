/** Publishes the draft of a look, and returns to the inherited look. */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { changeDirectory } from "../change";
import { notSet } from "../policy/set";
import { activateLabel, hasLabel, removeLabel } from "./label";
import { ownerOfLook } from "./read";

/**
 * Activates the draft of a level.
 * @param organizationId undefined for the instance
 */
export async function publishLook(
  ctx: Context,
  organizationId: string | undefined,
  origin: Origin,
): Promise<Details | ApiError> {
  const ownerId = await ownerOfLook(ctx, organizationId);
  return changeDirectory(ctx, async (tx) => {
    const details = await activateLabel(ctx, tx, ownerId, origin);
    return details ?? failedPrecondition("label.no_preview", "There is no draft here to show. Change something first.");
  });
}

/** Removes an organization's own look, both the active one and the draft. */
export function resetLook(ctx: Context, organizationId: string, origin: Origin): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    return (await hasLabel(tx, organizationId)) ? removeLabel(ctx, tx, organizationId, origin) : notSet();
  });
}
