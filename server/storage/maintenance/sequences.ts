/** Reads how many numbers are left of the sequences that number rows. */
import type { Database } from "../database";

export interface Sequence {
  name: string;
  /** The last assigned number. */
  used: number;
  /** The greatest number that the column and a JavaScript number can hold. */
  last: number;
}

const POSTGRESQL = `
  SELECT s."relname" AS "name", COALESCE(pg_sequence_last_value(s."oid"), 0) AS "used",
         LEAST(q."seqmax", CASE a."atttypid" WHEN 'int4'::regtype THEN 2147483647 ELSE ${Number.MAX_SAFE_INTEGER} END) AS "last"
    FROM pg_class s
    JOIN pg_sequence q ON q."seqrelid" = s."oid"
    JOIN pg_depend d ON d."classid" = 'pg_class'::regclass AND d."objid" = s."oid" AND d."deptype" IN ('a', 'i')
    JOIN pg_attribute a ON a."attrelid" = d."refobjid" AND a."attnum" = d."refobjsubid"
   WHERE s."relkind" = 'S' AND s."relnamespace" = current_schema()::regnamespace
   ORDER BY 1`;

const SQLITE = `SELECT "name" || '_position_seq' AS "name", "seq" AS "used", ${Number.MAX_SAFE_INTEGER} AS "last"
  FROM "sqlite_sequence" ORDER BY 1`;

export const listSequences = (db: Database): Promise<Sequence[]> =>
  db.all<Sequence>(db.kind === "postgresql" ? POSTGRESQL : SQLITE, []);
