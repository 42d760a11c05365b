/** Checks that a user grant gives only roles that its project has. */
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { readProjectRoles } from "../../storage/apps";
import type { Transaction } from "../../storage/database";

/**
 * Returns the first role that the project does not have.
 * @returns its index; undefined if the project has all of them
 */
export async function findUnknownRole(
  tx: Transaction,
  projectId: string,
  roleKeys: readonly string[],
): Promise<number | undefined> {
  const known = new Set((await readProjectRoles(tx, projectId)).map(({ roleKey }) => roleKey));
  const unknown = roleKeys.findIndex((key) => !known.has(key));
  return unknown < 0 ? undefined : unknown;
}

export async function checkRoles(
  tx: Transaction,
  projectId: string,
  roleKeys: readonly string[],
): Promise<ApiError | undefined> {
  const unknown = await findUnknownRole(tx, projectId, roleKeys);
  if (unknown === undefined) return undefined;
  const field = `roleKeys[${unknown}]`;
  return invalidArgument("user_grant.unknown_role", "This is not a role of the project. Choose one that is.", {
    field,
  });
}
