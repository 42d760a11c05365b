/** Rows of initial access tokens, with which clients register (RFC 7591 §1.2). */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readOne, write } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export type RegistrationTokenRow = Selectable<Tables["RegistrationToken"]>;
/** A token as it is listed, without its digest. */
export type ShownRegistrationToken = Omit<RegistrationTokenRow, "digest">;

export async function insertRegistrationToken(
  tx: Transaction,
  row: Omit<RegistrationTokenRow, "usedAt">,
): Promise<void> {
  await write(tx, bind(tables.insertInto("RegistrationToken").values({ ...row, usedAt: null })));
}

const byDigest = statement(($: Params<{ digest: string; now: number }>) =>
  tables
    .selectFrom("RegistrationToken")
    .select(["id", "createdBy"])
    .where("digest", "=", $("digest"))
    .where("expiresAt", ">", $("now")),
);

/** Returns the token that has not expired by `now`. */
export const findRegistrationToken = (
  db: Database,
  digest: string,
  now: number,
): Promise<{ id: string; createdBy: string } | undefined> => db.one(byDigest({ digest, now }));

const markUsed = statement(($: Params<{ id: string; now: number }>) =>
  tables
    .updateTable("RegistrationToken")
    .set({ usedAt: $("now") })
    .where("id", "=", $("id")),
);

export async function markRegistrationTokenUsed(tx: Transaction, id: string, now: number): Promise<void> {
  await write(tx, markUsed({ id, now }));
}

const valid = statement(($: Params<{ now: number }>) =>
  tables
    .selectFrom("RegistrationToken")
    .select(["id", "createdBy", "createdAt", "expiresAt", "usedAt"])
    .where("expiresAt", ">", $("now"))
    .orderBy("expiresAt")
    .limit(1_000),
);

/** Returns the tokens that are valid at `now`, those that expire first before the others. */
export const listRegistrationTokens = (db: Database, now: number): Promise<ShownRegistrationToken[]> =>
  db.all(valid({ now }));

const count = statement(($: Params<{ now: number }>) =>
  tables
    .selectFrom("RegistrationToken")
    .select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count"))
    .where("expiresAt", ">", $("now")),
);

export async function countRegistrationTokensIn(tx: Transaction, now: number): Promise<number> {
  return (await readOne(tx, count({ now })))?.count ?? 0;
}

const remove = statement(($: Params<{ id: string }>) =>
  tables.deleteFrom("RegistrationToken").where("id", "=", $("id")),
);

/** Deletes a token. Returns whether it existed. */
export async function deleteRegistrationToken(tx: Transaction, id: string): Promise<boolean> {
  return (await write(tx, remove({ id }))) > 0;
}
