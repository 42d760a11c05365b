/** The single row of the service itself. */
import type { Database, Transaction } from "../database";
import { readOne, write, writeOne } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

export interface InstanceRow {
  id: string;
  defaultLanguage: string;
  defaultOrganizationId: string | null;
  features: Record<string, unknown>;
  security: Record<string, unknown>;
  /** Milliseconds by name; empty for the values of the environment. */
  tokenLifetimes: Record<string, unknown>;
  /** Milliseconds by kind of code. */
  codeLifetimes: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
  /** The project of clients that no administrator registered; null until there is one. */
  registrationProjectId: string | null;
}

export type InstanceSettings = Omit<InstanceRow, "id" | "createdAt">;

const instance = statement(() =>
  tables
    .selectFrom("Instance")
    .select(["id", "defaultLanguage", "defaultOrganizationId", "features", "security", "createdAt"])
    .select(["tokenLifetimes", "codeLifetimes", "registrationProjectId"])
    .$castTo<Omit<InstanceRow, "tokenLifetimes" | "codeLifetimes"> & StoredLifetimes>(),
);

/** Null: nothing is set. */
interface StoredLifetimes {
  tokenLifetimes: Record<string, unknown> | null;
  codeLifetimes: Record<string, unknown> | null;
}

const withLifetimes = <Row extends StoredLifetimes>(row: Row | undefined) =>
  row && { ...row, tokenLifetimes: row.tokenLifetimes ?? {}, codeLifetimes: row.codeLifetimes ?? {} };

/** Returns the committed row; undefined before the first start. */
export async function findInstanceRow(db: Database): Promise<InstanceRow | undefined> {
  return withLifetimes(await db.one(instance()));
}

const lockInstance = statement(() => tables.selectFrom("Instance").select("id").forUpdate());

/**
 * Returns the row, locked until the transaction ends, so that changes of the whole service (setup, bootstrap) run one
 * after the other. SQLite has only one writer anyway.
 */
export async function lockInstanceRow(db: Database, tx: Transaction): Promise<InstanceRow | undefined> {
  if (db.kind === "postgresql") await readOne(tx, lockInstance());
  return withLifetimes(await readOne(tx, instance()));
}

/** Returns the id of the service within a transaction, which must not wait for a second connection. */
export async function readInstanceId(tx: Transaction): Promise<string> {
  const row = await readOne(tx, instance());
  if (!row) throw new Error("the instance has not been set up");
  return row.id;
}

/** Milliseconds by kind of code, within a transaction. */
export async function readCodeLifetimes(tx: Transaction): Promise<Record<string, unknown>> {
  return withLifetimes(await readOne(tx, instance()))?.codeLifetimes ?? {};
}

/** Returns the default language as seen by the transaction; undefined before the instance exists. */
export async function readInstanceLanguage(tx: Transaction): Promise<string | undefined> {
  return (await readOne(tx, instance()))?.defaultLanguage;
}

const setBaseUrl = statement(($: Params<{ baseUrl: string }>) =>
  tables.updateTable("Instance").set({ baseUrl: $("baseUrl") }),
);

/**
 * Stores the BASE_URL of this start.
 * @returns the BASE_URL of the previous start; null before the first
 */
export async function replaceBaseUrl(db: Database, baseUrl: string): Promise<string | null> {
  const last = await findBaseUrl(db);
  if (last !== baseUrl) await db.run(setBaseUrl({ baseUrl }));
  return last;
}

const lastBaseUrl = statement(() => tables.selectFrom("Instance").select("baseUrl"));

/** Returns the BASE_URL of the last start; null before the first. */
export async function findBaseUrl(db: Database): Promise<string | null> {
  return (await db.one(lastBaseUrl()))?.baseUrl ?? null;
}

const pairwiseKey = statement(() => tables.selectFrom("Instance").select("pairwiseKey"));

/** Returns the sealed key of pairwise subjects; null before the first one. */
export async function findPairwiseKey(db: Database): Promise<string | null> {
  return (await db.one(pairwiseKey()))?.pairwiseKey ?? null;
}

const setPairwiseKey = statement(($: Params<{ sealed: string }>) =>
  tables
    .updateTable("Instance")
    .set({ pairwiseKey: $("sealed") })
    .where("pairwiseKey", "is", null),
);

/** Stores the sealed key unless another process was first. */
export async function insertPairwiseKey(db: Database, sealed: string): Promise<void> {
  await db.run(setPairwiseKey({ sealed }));
}

/** Stores the row unless it exists. Returns false if another process was first. */
export async function insertInstanceRow(db: Database, tx: Transaction, row: InstanceRow): Promise<boolean> {
  // There is no row to lock yet, so lock the table: two concurrent first starts create one instance.
  if (db.kind === "postgresql") await tx.$executeRaw`LOCK TABLE "Instance" IN SHARE ROW EXCLUSIVE MODE`;
  if (await readOne(tx, instance())) return false;
  await write(tx, bind(tables.insertInto("Instance").values(row)));
  return true;
}

export async function updateInstanceRow(tx: Transaction, id: string, data: Partial<InstanceSettings>): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("Instance").set(data).where("id", "=", id)));
}
