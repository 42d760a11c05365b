/** Rows of password hooks; each organization has one at most. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readOne, write } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export type PasswordHookRow = Selectable<Tables["PasswordHook"]>;

const ofOrganization = statement(($: Params<{ id: string }>) =>
  tables.selectFrom("PasswordHook").selectAll().where("id", "=", $("id")),
);

export const findPasswordHookRow = (db: Database, id: string): Promise<PasswordHookRow | undefined> =>
  db.one(ofOrganization({ id }));

export const readPasswordHookRow = (tx: Transaction, id: string): Promise<PasswordHookRow | undefined> =>
  readOne(tx, ofOrganization({ id }));

export async function writePasswordHookRow(
  tx: Transaction,
  { id, ...row }: Omit<PasswordHookRow, "createdAt" | "changedAt">,
  now: number,
): Promise<void> {
  const upsert = tables
    .insertInto("PasswordHook")
    .values({ id, ...row, createdAt: now, changedAt: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ ...row, changedAt: now }));
  await write(tx, bind(upsert));
}

export async function deletePasswordHookRow(tx: Transaction, id: string): Promise<void> {
  await write(tx, bind(tables.deleteFrom("PasswordHook").where("id", "=", id)));
}
