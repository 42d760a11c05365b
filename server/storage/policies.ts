/** Rows of policies: what one level says about one subject. */
import type { Database, Transaction } from "./database";
import { readJson } from "./json-column";

export interface PolicyRow {
  ownerId: string;
  settings: Record<string, unknown>;
}

/** What any of these levels says, in no order. */
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
