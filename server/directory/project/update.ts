/** Sets the name and the settings of a project. */

import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { onUniqueViolation } from "../change";
import { changeInProject, type ProjectRef } from "../change-project";
import { changeProject, type ProjectSettings } from "./project";
import { resourceTaken } from "./resources";

/**
 * Updates a project. Omitted switches are switched off; omitted scopes and the omitted roles claim are kept.
 * @returns whether anything changed
 */
export function updateProject(
  ctx: Context,
  ref: ProjectRef,
  wanted: ProjectSettings & { name: string },
  origin: Origin,
): Promise<boolean | ApiError> {
  const off = {
    projectRoleAssertion: false,
    projectRoleCheck: false,
    hasProjectCheck: false,
    privateLabelingSetting: null,
  };
  return onUniqueViolation(resourceTaken, () =>
    changeInProject(ctx, ref, (tx, stored) => changeProject(ctx, tx, stored, { ...off, ...wanted }, origin)),
  );
}
