-- CreateTable
CREATE TABLE "ProviderSession" (
    "id" TEXT NOT NULL,
    "sessionId" TEXT,
    "providerId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "sid" TEXT,
    "sealedIdToken" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ProviderSession_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ProviderSession_sessionId_idx" ON "ProviderSession"("sessionId");

-- CreateIndex
CREATE INDEX "ProviderSession_providerId_subject_idx" ON "ProviderSession"("providerId", "subject");

-- CreateIndex
CREATE INDEX "ProviderSession_providerId_sid_idx" ON "ProviderSession"("providerId", "sid");

-- CreateIndex
CREATE INDEX "ProviderSession_expiresAt_idx" ON "ProviderSession"("expiresAt");
