/** The ids of new providers, of which an owner has a limited number. */
import { newId } from "../../crypto/random";
import type { ApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import type { ProviderRow } from "../../storage/providers";
import type { ProviderChannel, ProviderOwner } from "./channel";

/** More than anybody needs; each row is a place for a secret. */
const MAX_PROVIDERS = 50;

/** The id of a new provider, or the refusal if its owner has too many. */
export async function newProviderId<Row extends ProviderRow>(
  tx: Transaction,
  { rows, tooMany }: ProviderChannel<Row>,
  { ownerId }: ProviderOwner,
): Promise<string | ApiError> {
  return (await rows.count(tx, ownerId)) >= MAX_PROVIDERS ? tooMany(MAX_PROVIDERS) : newId();
}
