-- AlterTable
ALTER TABLE "Instance" ADD COLUMN "registrationProjectId" TEXT;

-- CreateTable
CREATE TABLE "ClientRegistration" (
    "appId" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "tokenDigest" TEXT,
    "vouchedBy" TEXT,
    "address" TEXT,
    "metadata" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "ClientRegistration_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RegistrationToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "digest" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);

-- CreateIndex
CREATE INDEX "ClientRegistration_expiresAt_idx" ON "ClientRegistration"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "RegistrationToken_digest_key" ON "RegistrationToken"("digest");

-- CreateIndex
CREATE INDEX "RegistrationToken_expiresAt_idx" ON "RegistrationToken"("expiresAt");
