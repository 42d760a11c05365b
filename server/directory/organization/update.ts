/** Renames an organization, and sets the language of its users who have not chosen one. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import { readOrganization } from "../../storage/organization/organization";
import { changeDirectory } from "../change";
import { noSuchOrganization } from "../not-found";
import { changeOrganization } from "./organization";

/**
 * Updates an organization; omitted fields are kept.
 * @returns whether anything changed
 */
export function updateOrganization(
  ctx: Context,
  id: string,
  wanted: { name?: string; defaultLanguage?: string | null },
  origin: Origin,
): Promise<boolean | ApiError> {
  return changeDirectory(ctx, async (tx) => {
    const stored = await readOrganization(tx, id);
    return stored ? changeOrganization(ctx, tx, stored, wanted, origin) : noSuchOrganization();
  });
}
