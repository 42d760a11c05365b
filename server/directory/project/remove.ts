/** Removes projects. */

import type { Context } from "../../context";
import { type Origin, recordIn } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { endTokensOf, readClientIds } from "../../storage/app/app";
import { deleteProject } from "../../storage/project/project";
import { changeInProject, type ProjectRef } from "../change-project";

/** Removes a project with its apps, its roles and their grants. */
export function removeProject(ctx: Context, ref: ProjectRef, origin: Origin): Promise<undefined | ApiError> {
  return changeInProject(ctx, ref, async (tx, { id, organizationId, name }) => {
    await recordIn(ctx, tx, {
      type: "project.removed",
      object: { id, organizationId },
      origin,
      async state(_, now) {
        await endTokensOf(tx, await readClientIds(tx, { projectId: id }), now);
        await deleteProject(tx, id);
        return { payload: { name } };
      },
    });
    return undefined;
  });
}
