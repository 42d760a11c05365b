/** Makes the ids of new providers and limits their number per owner. */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import type { ApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { lockInstanceRow } from "../../storage/instance/instance";
import { lockOrganization } from "../../storage/organization/organization";
import type { ProviderRow } from "../../storage/provider/provider-table";
import { noSuchOrganization } from "../not-found";
import type { ProviderChannel, ProviderOwner } from "./channel";

/** More than any owner needs; each row stores a secret. */
const MAX_PROVIDERS = 50;

/**
 * Returns the id of a new provider, or an error if its owner has too many. Locks the owner, so that concurrent
 * additions are counted, and an organization is not removed meanwhile.
 */
export async function newProviderId<Row extends ProviderRow>(
  ctx: Context,
  tx: Transaction,
  { rows, tooMany }: ProviderChannel<Row>,
  { level, ownerId }: ProviderOwner,
): Promise<string | ApiError> {
  if (level === "instance") await lockInstanceRow(ctx.db, tx);
  else if (!(await lockOrganization(ctx.db, tx, ownerId))) return noSuchOrganization();
  return (await rows.count(tx, ownerId)) >= MAX_PROVIDERS ? tooMany(MAX_PROVIDERS) : newId();
}
