-- CreateTable
CREATE TABLE "ProviderSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT,
    "providerId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "sid" TEXT,
    "sealedIdToken" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "ProviderSession_sessionId_idx" ON "ProviderSession"("sessionId");

-- CreateIndex
CREATE INDEX "ProviderSession_providerId_subject_idx" ON "ProviderSession"("providerId", "subject");

-- CreateIndex
CREATE INDEX "ProviderSession_providerId_sid_idx" ON "ProviderSession"("providerId", "sid");

-- CreateIndex
CREATE INDEX "ProviderSession_expiresAt_idx" ON "ProviderSession"("expiresAt");
