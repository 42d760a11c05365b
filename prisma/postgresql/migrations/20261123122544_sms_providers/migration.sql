-- CreateTable
CREATE TABLE "SmsProvider" (
    "id" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "activeFor" TEXT,
    "kind" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "sealedAddress" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "changedBy" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SmsProvider_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "SmsProvider_activeFor_key" ON "SmsProvider"("activeFor");

-- CreateIndex
CREATE INDEX "SmsProvider_ownerId_id_idx" ON "SmsProvider"("ownerId", "id");
