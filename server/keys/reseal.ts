/**
 * Rotation of SECRET_KEY: while older keys are listed after the first one, every start re-seals all stored values with
 * the first, so that the older keys can be removed. Otherwise a leaked key would have to be kept for as long as any
 * user has an authenticator app (rule CONFIG-4).
 */
import type { Context } from "../context";
import { openSecrets } from "../crypto/secrets";
import { listSealed, replaceSealed, SEALED_COLUMNS, type SealedColumn, type SealedRow } from "../storage/key/sealed";

const PAGE = 500;

/**
 * Re-seals all stored values with the first key.
 * @returns how many values were re-sealed
 */
export async function resealSecrets(ctx: Context): Promise<number> {
  const [first, ...older] = ctx.config.secretKeys;
  if (first === undefined || older.length === 0) return 0;
  const current = openSecrets([first]);
  let count = 0;
  for (const column of SEALED_COLUMNS) {
    const change = async (row: SealedRow) => {
      if (current.open(column.purpose, row.sealed) !== undefined) return;
      const text = ctx.secrets.open(column.purpose, row.sealed);
      // A value that no key opens is left unchanged: the operator may configure its key again.
      if (text === undefined) return;
      if (await replaceSealed(ctx.db, column, row, current.seal(column.purpose, text))) count++;
    };
    for await (const rows of pages(ctx, column)) await Promise.all(rows.map(change));
  }
  return count;
}

async function* pages(ctx: Context, column: SealedColumn): AsyncGenerator<SealedRow[]> {
  let rows: SealedRow[];
  let after = "";
  do {
    rows = await listSealed(ctx.db, column, after, PAGE);
    after = rows.at(-1)?.id ?? after;
    yield rows;
  } while (rows.length === PAGE);
}
