-- AlterTable
ALTER TABLE "ProviderSession" ADD COLUMN "sealedTokens" TEXT;

-- CreateTable
CREATE TABLE "ProviderToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "providerId" TEXT NOT NULL,
    "externalId" TEXT NOT NULL,
    "sealedTokens" TEXT NOT NULL,
    "refreshingUntil" DATETIME,
    "signedInAt" DATETIME NOT NULL,
    CONSTRAINT "ProviderToken_providerId_externalId_fkey" FOREIGN KEY ("providerId", "externalId") REFERENCES "IdentityLink" ("providerId", "externalId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "ProviderToken_providerId_externalId_key" ON "ProviderToken"("providerId", "externalId");
