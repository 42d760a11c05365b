-- Signing in changes a small row instead of that of the person with its fourteen indexes.
-- CreateTable
CREATE TABLE "LastSignIn" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "organizationId" TEXT NOT NULL,
    "at" TEXT NOT NULL,
    CONSTRAINT "LastSignIn_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "LastSignIn_at_userId_idx" ON "LastSignIn"("at", "userId");

-- CreateIndex
CREATE INDEX "LastSignIn_organizationId_at_userId_idx" ON "LastSignIn"("organizationId", "at", "userId");

INSERT INTO "LastSignIn" ("userId", "organizationId", "at")
SELECT "id", "organizationId", "lastSignIn" FROM "User" WHERE "lastSignIn" <> '';
