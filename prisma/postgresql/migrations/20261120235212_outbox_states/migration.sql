-- DropIndex
DROP INDEX "OutboxMessage_sentAt_failedAt_nextAttemptAt_idx";

-- AlterTable
ALTER TABLE "OutboxMessage" DROP COLUMN "failedAt",
DROP COLUMN "lastError",
DROP COLUMN "sentAt",
ADD COLUMN     "lastAnswer" TEXT,
ADD COLUMN     "leaseId" TEXT,
ADD COLUMN     "letter" TEXT,
ADD COLUMN     "settledAt" TIMESTAMP(3),
ADD COLUMN     "state" TEXT NOT NULL DEFAULT 'queued',
ADD COLUMN     "subject" TEXT;

-- CreateTable
CREATE TABLE "MailSettings" (
    "organizationId" TEXT NOT NULL,
    "sealedSmtpUrl" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MailSettings_pkey" PRIMARY KEY ("organizationId")
);

-- CreateIndex
CREATE INDEX "OutboxMessage_state_nextAttemptAt_idx" ON "OutboxMessage"("state", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "OutboxMessage_userId_state_createdAt_idx" ON "OutboxMessage"("userId", "state", "createdAt");

-- CreateIndex
CREATE INDEX "OutboxMessage_createdAt_idx" ON "OutboxMessage"("createdAt");
