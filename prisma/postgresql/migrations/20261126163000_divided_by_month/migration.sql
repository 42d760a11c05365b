-- Layout only: the models know nothing of it, columns, keys and indexes stay as they are.
-- The audit trail and the messages are divided by month (docs/decisions/0031): what there is becomes the first part, and
-- no index is built anew. Processes of the previous release go on reading and writing the tables by their names.
DO $$
DECLARE
  -- The beginning of the next month, UTC.
  "until" timestamp := date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month';
  "suffix" text := to_char("until", '"_before_"YYYY_MM');
  "whole" text;
  "first" text;
  "rest" text;
  "index" record;
BEGIN
  -- Quoted, as the tables that a migration names in quotes are locked together before it begins.
  FOREACH "whole" IN ARRAY ARRAY['"Event"', '"OutboxMessage"'] LOOP
    "whole" := trim("whole", '"');
    "first" := "whole" || "suffix";
    "rest" := "whole" || '_default';
    EXECUTE format('ALTER TABLE %I RENAME TO %I', "whole", "first");
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE ("createdAt")', "whole", "first");

    -- Each index gets one of the whole table that it belongs to. Those that are unique stand in each part alone, as one of
    -- the whole would have to hold the time as well. The names are unique to a schema.
    FOR "index" IN
      SELECT c."relname" AS "name", substring(pg_get_indexdef(c."oid") FROM ' (USING .*)$') AS "definition", i."indisunique" AS "unique"
        FROM pg_index i JOIN pg_class c ON c."oid" = i."indexrelid" WHERE i."indrelid" = format('%I', "first")::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', "index"."name", overlay("index"."name" PLACING "first" FROM 1 FOR length("whole")));
      IF NOT "index"."unique" THEN
        EXECUTE format('CREATE INDEX %I ON %I %s', "index"."name", "whole", "index"."definition");
      END IF;
    END LOOP;

    -- What is of no month that there is, as from a clock that was far ahead: it would be refused otherwise.
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE)', "rest", "first");
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', "whole", "rest");
    EXECUTE format('WITH "ahead" AS (DELETE FROM %I WHERE "createdAt" >= $1 RETURNING *) INSERT INTO %I SELECT * FROM "ahead"', "first", "rest")
      USING "until";
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', "whole", "first", "until");
  END LOOP;
  ALTER SEQUENCE "Event_position_seq" OWNED BY "Event"."position";
END $$;
