-- Signing in changes a small row instead of that of the person with its fourteen indexes.
CREATE TABLE "LastSignIn" (
    "userId" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "at" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "LastSignIn_pkey" PRIMARY KEY ("userId")
);

INSERT INTO "LastSignIn" ("userId", "organizationId", "at")
SELECT "id", "organizationId", "lastSignIn" FROM "User" WHERE "lastSignIn" <> '';

-- CreateIndex
CREATE INDEX "LastSignIn_at_userId_idx" ON "LastSignIn"("at", "userId");

-- CreateIndex
CREATE INDEX "LastSignIn_organizationId_at_userId_idx" ON "LastSignIn"("organizationId", "at", "userId");

-- AddForeignKey
ALTER TABLE "LastSignIn" ADD CONSTRAINT "LastSignIn_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
