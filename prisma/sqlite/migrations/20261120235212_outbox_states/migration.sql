-- CreateTable
CREATE TABLE "MailSettings" (
    "organizationId" TEXT NOT NULL PRIMARY KEY,
    "sealedSmtpUrl" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_OutboxMessage" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "type" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "userId" TEXT,
    "recipient" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "nextAttemptAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL,
    "leaseId" TEXT,
    "leaseUntil" DATETIME,
    "settledAt" DATETIME,
    "lastAnswer" TEXT,
    "subject" TEXT,
    "letter" TEXT
);
INSERT INTO "new_OutboxMessage" ("attempts", "createdAt", "expiresAt", "id", "leaseUntil", "nextAttemptAt", "organizationId", "payload", "recipient", "type", "userId") SELECT "attempts", "createdAt", "expiresAt", "id", "leaseUntil", "nextAttemptAt", "organizationId", "payload", "recipient", "type", "userId" FROM "OutboxMessage";
DROP TABLE "OutboxMessage";
ALTER TABLE "new_OutboxMessage" RENAME TO "OutboxMessage";
CREATE INDEX "OutboxMessage_state_nextAttemptAt_idx" ON "OutboxMessage"("state", "nextAttemptAt");
CREATE INDEX "OutboxMessage_userId_state_createdAt_idx" ON "OutboxMessage"("userId", "state", "createdAt");
CREATE INDEX "OutboxMessage_organizationId_createdAt_idx" ON "OutboxMessage"("organizationId", "createdAt");
CREATE INDEX "OutboxMessage_createdAt_idx" ON "OutboxMessage"("createdAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
