-- Layout only: the models know nothing of it, columns, keys and indexes stay as they are.
-- Processes of the previous release, which serve beside this one during an upgrade, write the person's row.
CREATE FUNCTION "keep_last_sign_in"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "LastSignIn" ("userId", "organizationId", "at")
  VALUES (NEW."id", NEW."organizationId", NEW."lastSignIn")
  ON CONFLICT ("userId") DO UPDATE SET "at" = excluded."at" WHERE "LastSignIn"."at" < excluded."at";
  RETURN NULL;
END $$;
CREATE TRIGGER "User_lastSignIn" AFTER UPDATE OF "lastSignIn" ON "User" FOR EACH ROW
WHEN (NEW."lastSignIn" > OLD."lastSignIn") EXECUTE FUNCTION "keep_last_sign_in"();

-- Room in each page for the next version of a row, so that redeeming a code, refreshing and counting touch no index.
ALTER TABLE "Grant" SET (fillfactor = 80);
-- Hardly any grant is exchanged from another one, and each version of a row had an entry for none.
DROP INDEX "Grant_parentId_idx";
CREATE INDEX "Grant_parentId_idx" ON "Grant"("parentId") WHERE "parentId" IS NOT NULL;
ALTER TABLE "Session" SET (fillfactor = 90);
ALTER TABLE "Aggregate" SET (fillfactor = 90);
ALTER TABLE "Throttle" SET (fillfactor = 70);

-- PostgreSQL vacuums a table when a fifth of its rows are dead, which in a large one is late and takes long.
DO $$
DECLARE
  "name" text;
BEGIN
  FOREACH "name" IN ARRAY ARRAY['User', 'LastSignIn', 'Aggregate', 'Session', 'Grant', 'AccessToken', 'UsedAssertion',
    'OneTimeToken', 'SignInAttempt', 'Throttle', 'LogoutNotification', 'DeviceAuthorization']
  LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.03, autovacuum_analyze_scale_factor = 0.05)', "name");
  END LOOP;
END $$;
