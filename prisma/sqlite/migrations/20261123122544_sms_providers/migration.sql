-- CreateTable
CREATE TABLE "SmsProvider" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "activeFor" TEXT,
    "kind" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "sealedAddress" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "changedBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "SmsProvider_activeFor_key" ON "SmsProvider"("activeFor");

-- CreateIndex
CREATE INDEX "SmsProvider_ownerId_id_idx" ON "SmsProvider"("ownerId", "id");
