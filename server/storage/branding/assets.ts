/** Rows of pictures: logos and icons, found by the digest of their content. */
import type { Database, Transaction } from "../database";
import { write } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";

export interface AssetRow {
  /** SHA-256 of the content, base64url. */
  digest: string;
  ownerId: string;
  contentType: string;
  content: Uint8Array<ArrayBuffer>;
}

const asset = statement(($: Params<{ digest: string }>) =>
  tables
    .selectFrom("Asset as a")
    .select(["a.contentType", "a.content"])
    .where("a.digest", "=", $("digest"))
    .limit(1)
    .$castTo<Pick<AssetRow, "contentType" | "content">>(),
);

/** Returns the picture with this digest, of any owner. */
export function findAsset(
  db: Database,
  digest: string,
): Promise<Pick<AssetRow, "contentType" | "content"> | undefined> {
  return db.one(asset({ digest }));
}

/** Stores a picture. One that exists already gets the current time as its creation time. */
export async function writeAsset(tx: Transaction, row: AssetRow, now: number): Promise<void> {
  const upsert = tables
    .insertInto("Asset")
    .values({ ...row, createdAt: now })
    .onConflict((conflict) => conflict.columns(["digest", "ownerId"]).doUpdateSet({ createdAt: now }));
  await write(tx, bind(upsert));
}

/** Deletes the pictures of an owner except the newest ones and those in use. */
export async function deleteOldAssets(
  tx: Transaction,
  ownerId: string,
  { newest, inUse }: { newest: number; inUse: readonly string[] },
): Promise<void> {
  const unused = tables.selectFrom("Asset").select("digest").where("ownerId", "=", ownerId);
  const among = inUse.length === 0 ? unused : unused.where("digest", "not in", inUse);
  const kept = among.orderBy("createdAt", "desc").orderBy("digest").limit(newest);
  const old = tables.deleteFrom("Asset").where("ownerId", "=", ownerId).where("digest", "not in", kept);
  await write(tx, bind(inUse.length === 0 ? old : old.where("digest", "not in", inUse)));
}
