-- CreateTable
CREATE TABLE "EmailProvider" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "activeFor" TEXT,
    "kind" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "sealedAddress" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "replyTo" TEXT,
    "changedBy" TEXT,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL
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
