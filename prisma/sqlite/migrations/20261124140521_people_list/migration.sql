-- AlterTable
ALTER TABLE "User" ADD COLUMN "lastSignIn" TEXT NOT NULL DEFAULT '';
ALTER TABLE "User" ADD COLUMN "invitedAt" DATETIME;

-- What is still known: sessions that were not swept, and links that were not used.
UPDATE "User" SET "lastSignIn" = (
  SELECT strftime('%Y-%m-%dT%H:%M:%fZ', MAX(s."authTime") / 1000.0, 'unixepoch') FROM "Session" s WHERE s."userId" = "User"."id")
 WHERE EXISTS (SELECT 1 FROM "Session" s WHERE s."userId" = "User"."id");
UPDATE "User" SET "invitedAt" = (
  SELECT MAX(t."createdAt") FROM "OneTimeToken" t
   WHERE t."purpose" = 'password_reset' AND t."subjectId" = "User"."id" AND t."consumedAt" IS NULL)
 WHERE "kind" = 'human' AND "passwordHash" IS NULL;

-- CreateIndex
CREATE INDEX "User_lastSignIn_id_idx" ON "User"("lastSignIn", "id");

-- CreateIndex
CREATE INDEX "User_organizationId_lastSignIn_id_idx" ON "User"("organizationId", "lastSignIn", "id");
