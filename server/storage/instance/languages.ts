/** Default languages: those of pages and messages if nothing else determines the language. */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";

const languages = statement(($: Params<{ organizationId: string | null }>) =>
  tables
    .selectFrom("Instance as i")
    .leftJoin("Organization as o", (join) => join.on("o.id", "=", $("organizationId")))
    .select(["o.defaultLanguage as organization", "i.defaultLanguage as instance"]),
);

/** Returns the default language of the organization, then that of the instance; empty before the instance exists. */
export async function findDefaultLanguage(db: Database, organizationId: string | null): Promise<string[]> {
  const row = await db.one(languages({ organizationId }));
  return [row?.organization, row?.instance].filter((language) => typeof language === "string");
}
