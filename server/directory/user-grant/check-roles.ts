/** Checks that a grant gives only roles that its project has, or that the project grant includes. */

import { type ApiError, invalidArgument } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { readProjectRoles } from "../../storage/project/project";

/**
 * Returns the first role that cannot be given.
 * @param granted the roles of the project grant, if the project is granted
 * @returns its index; undefined if all can be given
 */
export async function findUnknownRole(
  tx: Transaction,
  projectId: string,
  roleKeys: readonly string[],
  granted?: readonly string[],
): Promise<number | undefined> {
  const known = new Set((await readProjectRoles(tx, projectId)).map(({ roleKey }) => roleKey));
  const unknown = roleKeys.findIndex((key) => !known.has(key) || granted?.includes(key) === false);
  return unknown < 0 ? undefined : unknown;
}

export async function checkRoles(
  tx: Transaction,
  projectId: string,
  roleKeys: readonly string[],
  granted?: readonly string[],
): Promise<ApiError | undefined> {
  const unknown = await findUnknownRole(tx, projectId, roleKeys, granted);
  if (unknown === undefined) return undefined;
  const field = `roleKeys[${unknown}]`;
  return invalidArgument("user_grant.unknown_role", "This is not a role of the project. Choose one that is.", {
    field,
  });
}
