-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "hasProjectCheck" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "projectRoleAssertion" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "projectRoleCheck" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "UserMetadata" (
    "userId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UserMetadata_pkey" PRIMARY KEY ("userId","key")
);

-- CreateTable
CREATE TABLE "UserGrant" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "roleKeys" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UserGrant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DeviceAuthorization" (
    "id" TEXT NOT NULL,
    "userCodeDigest" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "nextPollAt" TIMESTAMP(3) NOT NULL,
    "interval" INTEGER NOT NULL,
    "sessionId" TEXT,
    "deniedAt" TIMESTAMP(3),
    "grantId" TEXT,
    "consumedAt" TIMESTAMP(3),

    CONSTRAINT "DeviceAuthorization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LogoutNotification" (
    "id" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "nextAttemptAt" TIMESTAMP(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),
    "failedAt" TIMESTAMP(3),
    "lastError" TEXT,

    CONSTRAINT "LogoutNotification_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "UserGrant_projectId_idx" ON "UserGrant"("projectId");

-- CreateIndex
CREATE UNIQUE INDEX "UserGrant_userId_projectId_organizationId_key" ON "UserGrant"("userId", "projectId", "organizationId");

-- CreateIndex
CREATE UNIQUE INDEX "DeviceAuthorization_userCodeDigest_key" ON "DeviceAuthorization"("userCodeDigest");

-- CreateIndex
CREATE INDEX "DeviceAuthorization_expiresAt_idx" ON "DeviceAuthorization"("expiresAt");

-- CreateIndex
CREATE INDEX "LogoutNotification_deliveredAt_failedAt_nextAttemptAt_idx" ON "LogoutNotification"("deliveredAt", "failedAt", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "LogoutNotification_createdAt_idx" ON "LogoutNotification"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "LogoutNotification_sessionId_clientId_key" ON "LogoutNotification"("sessionId", "clientId");

-- CreateIndex
CREATE INDEX "AccessToken_grantId_idx" ON "AccessToken"("grantId");

-- AddForeignKey
ALTER TABLE "UserMetadata" ADD CONSTRAINT "UserMetadata_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserGrant" ADD CONSTRAINT "UserGrant_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserGrant" ADD CONSTRAINT "UserGrant_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserGrant" ADD CONSTRAINT "UserGrant_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
