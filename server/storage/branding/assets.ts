/** Rows of pictures: logos and icons, found by the digest of their content. */
import type { Database, Transaction } from "../database";

export interface AssetRow {
  /** SHA-256 of the content, base64url. */
  digest: string;
  ownerId: string;
  contentType: string;
  content: Uint8Array<ArrayBuffer>;
}

/** Returns the picture with this digest, of any owner. */
export function findAsset(
  db: Database,
  digest: string,
): Promise<Pick<AssetRow, "contentType" | "content"> | undefined> {
  return db.one(`SELECT "contentType", "content" FROM "Asset" WHERE "digest" = $1 LIMIT 1`, [digest]);
}

/** Stores a picture. One that exists already gets the current time as its creation time. */
export async function writeAsset(tx: Transaction, row: AssetRow, now: number): Promise<void> {
  const { digest, ownerId } = row;
  const createdAt = new Date(now);
  await tx.asset.upsert({
    where: { digest_ownerId: { digest, ownerId } },
    create: { ...row, createdAt },
    update: { createdAt },
  });
}

/** Deletes the pictures of an owner except the newest ones and those in use. */
export async function deleteOldAssets(
  tx: Transaction,
  ownerId: string,
  { newest, inUse }: { newest: number; inUse: readonly string[] },
): Promise<void> {
  const old = await tx.asset.findMany({
    where: { ownerId, digest: { notIn: [...inUse] } },
    orderBy: [{ createdAt: "desc" }, { digest: "asc" }],
    skip: newest,
    select: { digest: true },
  });
  await tx.asset.deleteMany({ where: { ownerId, digest: { in: old.map(({ digest }) => digest) } } });
}
