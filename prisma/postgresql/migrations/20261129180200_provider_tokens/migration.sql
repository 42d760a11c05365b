-- AlterTable
ALTER TABLE "ProviderSession" ADD COLUMN     "sealedTokens" TEXT;

-- CreateTable
CREATE TABLE "ProviderToken" (
    "id" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "externalId" TEXT NOT NULL,
    "sealedTokens" TEXT NOT NULL,
    "refreshingUntil" TIMESTAMP(3),
    "signedInAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ProviderToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ProviderToken_providerId_externalId_key" ON "ProviderToken"("providerId", "externalId");

-- AddForeignKey
ALTER TABLE "ProviderToken" ADD CONSTRAINT "ProviderToken_providerId_externalId_fkey" FOREIGN KEY ("providerId", "externalId") REFERENCES "IdentityLink"("providerId", "externalId") ON DELETE CASCADE ON UPDATE CASCADE;
