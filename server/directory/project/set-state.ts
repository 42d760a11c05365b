/** Deactivates and reactivates projects. */

import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition } from "../../protocol/api-error";
import { updateProjectRow } from "../../storage/project/project";
import { changeInProject, type ProjectRef } from "../change-project";

/** Activates or deactivates a project. Its apps and roles work only while it is active. */
export function setProjectState(
  ctx: Context,
  ref: ProjectRef,
  state: "active" | "inactive",
  origin: Origin,
): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, stored) => {
    if (stored.state === state) {
      return failedPrecondition(`project.already_${state}`, `The project is ${state} already.`);
    }
    await recordIn(ctx, tx, {
      type: state === "active" ? "project.reactivated" : "project.deactivated",
      object: stored,
      origin,
      async state() {
        await updateProjectRow(tx, stored.id, { state });
        return {};
      },
    });
    return undefined;
  });
}
