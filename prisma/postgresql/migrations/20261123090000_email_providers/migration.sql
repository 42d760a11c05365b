-- CreateTable
CREATE TABLE "EmailProvider" (
    "id" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "activeFor" TEXT,
    "kind" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "sealedAddress" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "replyTo" TEXT,
    "changedBy" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "EmailProvider_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "EmailProvider_activeFor_key" ON "EmailProvider"("activeFor");

-- CreateIndex
CREATE INDEX "EmailProvider_ownerId_id_idx" ON "EmailProvider"("ownerId", "id");

-- The mail server of each organization becomes its active provider, known by the organization's id.
INSERT INTO "EmailProvider"
  ("id", "ownerId", "activeFor", "kind", "sealedAddress", "sender", "changedBy", "createdAt", "changedAt")
SELECT "organizationId", "organizationId", "organizationId", 'smtp', "sealedSmtpUrl", "sender", "changedBy", "createdAt", "changedAt"
  FROM "MailSettings";

-- DropTable
DROP TABLE "MailSettings";
