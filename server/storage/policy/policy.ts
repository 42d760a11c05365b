/** Rows of policies: the settings of one kind at one level. */
import type { Database, Transaction } from "../database";
import { readJson } from "../json-column";

export interface PolicyRow {
  ownerId: string;
  settings: Record<string, unknown>;
}

/** The settings of these levels, in any order. */
export async function listPolicies(
  db: Database,
  kind: string,
  ownerIds: readonly [string, string],
): Promise<PolicyRow[]> {
  const rows = await db.all<{ ownerId: string; settings: unknown }>(
    `SELECT "ownerId", "settings" FROM "Policy" WHERE "kind" = $1 AND "ownerId" IN ($2, $3)`,
    [kind, ...ownerIds],
  );
  return rows.map(({ ownerId, settings }) => ({ ownerId, settings: readJson(settings) ?? {} }));
}

export async function readPolicy(
  tx: Transaction,
  ownerId: string,
  kind: string,
): Promise<Record<string, unknown> | undefined> {
  const row = await tx.policy.findUnique({ where: { ownerId_kind: { ownerId, kind } } });
  return row ? (row.settings as Record<string, unknown>) : undefined;
}

/** The settings of the instance and one organization, in this order, as seen by the transaction. */
export async function readPoliciesOf(
  tx: Transaction,
  organizationId: string,
  kind: string,
): Promise<Record<string, unknown>[]> {
  const instance = await tx.instance.findFirst({ select: { id: true } });
  const ownerIds = instance ? [instance.id, organizationId] : [organizationId];
  const rows = await tx.policy.findMany({ where: { kind, ownerId: { in: ownerIds } } });
  const said = ownerIds.map((ownerId) => rows.find((row) => row.ownerId === ownerId)?.settings);
  return said.filter((settings) => settings !== undefined) as Record<string, unknown>[];
}

export async function writePolicy(
  tx: Transaction,
  ownerId: string,
  kind: string,
  settings: Record<string, unknown>,
  now: number,
): Promise<void> {
  const at = new Date(now);
  const json = settings as object;
  await tx.policy.upsert({
    where: { ownerId_kind: { ownerId, kind } },
    create: { ownerId, kind, settings: json, createdAt: at, changedAt: at },
    update: { settings: json, changedAt: at },
  });
}

export async function deletePolicy(tx: Transaction, ownerId: string, kind: string): Promise<void> {
  await tx.policy.deleteMany({ where: { ownerId, kind } });
}
