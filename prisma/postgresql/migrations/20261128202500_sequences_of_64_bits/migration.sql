-- Layout only: the models, which are those of both databases, call these numbers Int; SQLite's have 64 bits anyway.
-- Positions and numbers of events get 64 bits. That writes each event and its indexes again, so a long audit trail stays as it
-- is for now: a running service copies it to "EventWide", which then takes its place (storage/engine/widen-events.ts).
DO $$
BEGIN
  IF (SELECT count(*) FROM (SELECT 1 FROM "Event" LIMIT 50001) AS "some") > 50000 THEN
    CREATE TABLE "EventWide" (LIKE "Event" INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE ("createdAt");
    ALTER TABLE "EventWide" ALTER COLUMN "position" TYPE BIGINT, ALTER COLUMN "sequence" TYPE BIGINT;
  ELSE
    ALTER TABLE "Event" ALTER COLUMN "position" TYPE BIGINT, ALTER COLUMN "sequence" TYPE BIGINT;
  END IF;
END $$;
-- A sequence made for a column of 32 bits ends with them.
ALTER SEQUENCE "Event_position_seq" AS BIGINT MAXVALUE 9223372036854775807;
ALTER TABLE "Aggregate" ALTER COLUMN "sequence" TYPE BIGINT;
ALTER TABLE "TextDraft" ALTER COLUMN "sequence" TYPE BIGINT;
