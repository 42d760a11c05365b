-- AlterTable
ALTER TABLE "OutboxMessage" ADD COLUMN     "recipientKey" TEXT NOT NULL DEFAULT '';

-- Messages that are there already can be searched for, too
UPDATE "OutboxMessage" SET "recipientKey" = LOWER("recipient");

-- CreateIndex
CREATE INDEX "OutboxMessage_recipientKey_createdAt_idx" ON "OutboxMessage"("recipientKey", "createdAt");

-- CreateIndex
CREATE INDEX "OutboxMessage_state_createdAt_idx" ON "OutboxMessage"("state", "createdAt");

-- CreateIndex
CREATE INDEX "OutboxMessage_type_createdAt_idx" ON "OutboxMessage"("type", "createdAt");
