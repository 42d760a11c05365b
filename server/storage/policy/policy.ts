/** Rows of policies: the settings of one kind at one level. */
import type { Database, Transaction } from "../database";
import { readAll, readOne, write } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

export interface PolicyRow {
  ownerId: string;
  settings: Record<string, unknown>;
}

const policies = tables.selectFrom("Policy").select(["ownerId", "settings"]).$castTo<PolicyRow>();

const ofLevels = statement(($: Params<{ kind: string; instance: string; organization: string }>) =>
  policies.where("kind", "=", $("kind")).where("ownerId", "in", [$("instance"), $("organization")]),
);

/** The settings of these levels, in any order. */
export function listPolicies(
  db: Database,
  kind: string,
  [instance, organization]: readonly [string, string],
): Promise<PolicyRow[]> {
  return db.all(ofLevels({ kind, instance, organization }));
}

export async function readPolicy(
  tx: Transaction,
  ownerId: string,
  kind: string,
): Promise<Record<string, unknown> | undefined> {
  const row = await readOne(tx, bind(policies.where("ownerId", "=", ownerId).where("kind", "=", kind)));
  return row?.settings;
}

/** The settings of the instance and one organization, in this order, as seen by the transaction. */
export async function readPoliciesOf(
  tx: Transaction,
  organizationId: string,
  kind: string,
): Promise<Record<string, unknown>[]> {
  const instance = await readOne(tx, bind(tables.selectFrom("Instance").select("id").limit(1)));
  const ownerIds = instance ? [instance.id, organizationId] : [organizationId];
  const rows = await readAll(tx, bind(policies.where("kind", "=", kind).where("ownerId", "in", ownerIds)));
  const found = ownerIds.map((ownerId) => rows.find((row) => row.ownerId === ownerId)?.settings);
  return found.filter((settings) => settings !== undefined);
}

export async function writePolicy(
  tx: Transaction,
  ownerId: string,
  kind: string,
  settings: Record<string, unknown>,
  now: number,
): Promise<void> {
  const insert = tables
    .insertInto("Policy")
    .values({ ownerId, kind, settings, createdAt: now, changedAt: now })
    .onConflict((conflict) => conflict.columns(["ownerId", "kind"]).doUpdateSet({ settings, changedAt: now }));
  await write(tx, bind(insert));
}

export async function deletePolicy(tx: Transaction, ownerId: string, kind: string): Promise<void> {
  await write(tx, bind(tables.deleteFrom("Policy").where("ownerId", "=", ownerId).where("kind", "=", kind)));
}
