/** The columns with long-lived values sealed with SECRET_KEY, so that they can be sealed again with a new key. */
import type { Database } from "../database";
import type { Tables } from "../generated/tables";
import { bind, tables } from "../statement";

type ColumnOf<Table extends keyof Tables> = { table: Table; column: keyof Tables[Table] };

export type SealedColumn = (
  | ColumnOf<"SigningKey">
  | ColumnOf<"SecondFactor">
  | ColumnOf<"EmailProvider">
  | ColumnOf<"SmsProvider">
  | ColumnOf<"PasswordHook">
  | ColumnOf<"IdentityProvider">
  | ColumnOf<"ProviderSession">
  | ColumnOf<"ProviderToken">
  | ColumnOf<"OutboxMessage">
  | ColumnOf<"Instance">
) & {
  /** The purpose of the seal. */
  purpose: "signing-key" | "second-factor" | "mail" | "identity-provider" | "pairwise";
};

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "SigningKey", column: "sealedPrivate", purpose: "signing-key" },
  { table: "SecondFactor", column: "sealedSecret", purpose: "second-factor" },
  { table: "EmailProvider", column: "sealedAddress", purpose: "mail" },
  { table: "EmailProvider", column: "sealedKeys", purpose: "mail" },
  { table: "SmsProvider", column: "sealedAddress", purpose: "mail" },
  { table: "PasswordHook", column: "sealedKey", purpose: "mail" },
  { table: "IdentityProvider", column: "sealedSecret", purpose: "identity-provider" },
  { table: "ProviderSession", column: "sealedIdToken", purpose: "identity-provider" },
  { table: "ProviderSession", column: "sealedTokens", purpose: "identity-provider" },
  { table: "ProviderToken", column: "sealedTokens", purpose: "identity-provider" },
  { table: "OutboxMessage", column: "letter", purpose: "mail" },
  { table: "Instance", column: "pairwiseKey", purpose: "pairwise" },
];

export interface SealedRow {
  id: string;
  sealed: string;
}

/** One of these columns; the statements are the same for all. */
const asOne = ({ table, column }: SealedColumn) =>
  ({ table, column }) as { table: "EmailProvider"; column: "sealedKeys" };

/** Returns the next rows after an id, ordered by id. */
export function listSealed(db: Database, sealed: SealedColumn, after: string, limit: number): Promise<SealedRow[]> {
  const { table, column } = asOne(sealed);
  const next = tables
    .selectFrom(table)
    .select(["id", `${column} as sealed`])
    .where("id", ">", after);
  return db.all(bind(next.where(column, "is not", null).orderBy("id").limit(limit).$narrowType<SealedRow>()));
}

/**
 * Replaces a sealed value.
 * @returns false if the value has changed meanwhile
 */
export async function replaceSealed(
  db: Database,
  column: SealedColumn,
  row: SealedRow,
  sealed: string,
): Promise<boolean> {
  const { table, column: name } = asOne(column);
  const update = tables
    .updateTable(table)
    .set({ [name]: sealed })
    .where("id", "=", row.id);
  return (await db.run(bind(update.where(name, "=", row.sealed)))) === 1;
}
