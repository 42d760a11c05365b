/** Default languages: those of pages and messages if nothing else determines the language. */
import type { Database, Transaction } from "../database";

/** Returns the default language of the organization, then that of the instance; empty before the instance exists. */
export async function findDefaultLanguage(db: Database, organizationId: string | null): Promise<string[]> {
  const row = await db.one<{ organization: string | null; instance: string }>(
    `SELECT o."defaultLanguage" AS "organization", i."defaultLanguage" AS "instance"
       FROM "Instance" i LEFT JOIN "Organization" o ON o."id" = $1`,
    [organizationId],
  );
  return [row?.organization, row?.instance].filter((language) => typeof language === "string");
}

/** The instance's default, as seen by the transaction; undefined before the instance exists. */
export async function readInstanceLanguage(tx: Transaction): Promise<string | undefined> {
  return (await tx.instance.findFirst({ select: { defaultLanguage: true } }))?.defaultLanguage;
}
