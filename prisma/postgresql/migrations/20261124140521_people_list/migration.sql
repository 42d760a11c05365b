-- AlterTable
ALTER TABLE "User" ADD COLUMN     "invitedAt" TIMESTAMP(3),
ADD COLUMN     "lastSignIn" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- What is still known: sessions that were not swept, and links that were not used.
UPDATE "User" u SET "lastSignIn" = to_char(s."at", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  FROM (SELECT "userId", MAX("authTime") AS "at" FROM "Session" GROUP BY "userId") s WHERE s."userId" = u."id";
UPDATE "User" u SET "invitedAt" = t."at"
  FROM (SELECT "subjectId", MAX("createdAt") AS "at" FROM "OneTimeToken"
         WHERE "purpose" = 'password_reset' AND "consumedAt" IS NULL GROUP BY "subjectId") t
 WHERE t."subjectId" = u."id" AND u."kind" = 'human' AND u."passwordHash" IS NULL;

-- CreateIndex
CREATE INDEX "User_lastSignIn_id_idx" ON "User"("lastSignIn", "id");

-- CreateIndex
CREATE INDEX "User_organizationId_lastSignIn_id_idx" ON "User"("organizationId", "lastSignIn", "id");
