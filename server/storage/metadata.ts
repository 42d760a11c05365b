/** Rows of metadata of users and of organizations. Those of users become a claim of a reserved scope. */
import type { Database, Transaction } from "./database";
import { readAll, readOne, write, writeOne } from "./in-transaction";
import { bind, type Params, statement, tables } from "./statement";

interface Owner {
  kind: "user" | "organization";
  id: string;
}

interface MetadataRow {
  key: string;
  /** base64url. */
  value: string;
}

/** Times are epoch milliseconds. */
interface ShownMetadataRow extends MetadataRow {
  createdAt: number;
  changedAt: number;
}

const PLACES = {
  user: { table: "UserMetadata", owner: "userId" },
  organization: { table: "OrganizationMetadata", owner: "organizationId" },
} as const;
/** The tables differ in the name of one column, so the statements are typed as those of one. */
const placeOf = (kind: Owner["kind"]) => PLACES[kind] as (typeof PLACES)["user"];

const listOf = (kind: Owner["kind"]) =>
  statement(($: Params<{ id: string }>) => {
    const { table, owner } = placeOf(kind);
    const rows = tables.selectFrom(table).select(["key", "value", "createdAt", "changedAt"]);
    return rows.where(owner, "=", $("id")).orderBy("key");
  });
const lists = { user: listOf("user"), organization: listOf("organization") };

export function listMetadata(db: Database, { kind, id }: Owner): Promise<ShownMetadataRow[]> {
  return db.all(lists[kind]({ id }));
}

export async function readMetadata(tx: Transaction, { kind, id }: Owner, key: string) {
  const { table, owner } = placeOf(kind);
  const one = tables.selectFrom(table).select("value").where(owner, "=", id).where("key", "=", key);
  return (await readOne(tx, bind(one)))?.value;
}

export async function writeMetadata(
  tx: Transaction,
  { kind, id }: Owner,
  { key, value }: MetadataRow,
  now: number,
): Promise<void> {
  const { table, owner } = placeOf(kind);
  const upsert = tables
    .insertInto(table)
    .values({ [owner]: id, key, value, createdAt: now, changedAt: now })
    .onConflict((conflict) => conflict.columns([owner, "key"]).doUpdateSet({ value, changedAt: now }));
  await write(tx, bind(upsert));
}

export async function deleteMetadata(tx: Transaction, { kind, id }: Owner, key: string): Promise<void> {
  const { table, owner } = placeOf(kind);
  await writeOne(tx, bind(tables.deleteFrom(table).where(owner, "=", id).where("key", "=", key)));
}

export async function readMetadataKeys(tx: Transaction, { kind, id }: Owner): Promise<string[]> {
  const { table, owner } = placeOf(kind);
  const rows = await readAll(tx, bind(tables.selectFrom(table).select("key").where(owner, "=", id)));
  return rows.map(({ key }) => key);
}
