-- AlterTable
ALTER TABLE "Instance" ADD COLUMN     "registrationProjectId" TEXT;

-- CreateTable
CREATE TABLE "ClientRegistration" (
    "appId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "tokenDigest" TEXT,
    "vouchedBy" TEXT,
    "address" TEXT,
    "metadata" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ClientRegistration_pkey" PRIMARY KEY ("appId")
);

-- CreateTable
CREATE TABLE "RegistrationToken" (
    "id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "RegistrationToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ClientRegistration_expiresAt_idx" ON "ClientRegistration"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "RegistrationToken_digest_key" ON "RegistrationToken"("digest");

-- CreateIndex
CREATE INDEX "RegistrationToken_expiresAt_idx" ON "RegistrationToken"("expiresAt");

-- AddForeignKey
ALTER TABLE "ClientRegistration" ADD CONSTRAINT "ClientRegistration_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;
