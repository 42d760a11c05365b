-- CreateTable
CREATE TABLE "UserMetadata" (
    "userId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "key"),
    CONSTRAINT "UserMetadata_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserGrant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "roleKeys" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "UserGrant_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserGrant_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserGrant_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "DeviceAuthorization" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userCodeDigest" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "nextPollAt" DATETIME NOT NULL,
    "interval" INTEGER NOT NULL,
    "sessionId" TEXT,
    "deniedAt" DATETIME,
    "grantId" TEXT,
    "consumedAt" DATETIME
);

-- CreateTable
CREATE TABLE "LogoutNotification" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "clientId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "nextAttemptAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" DATETIME,
    "deliveredAt" DATETIME,
    "failedAt" DATETIME,
    "lastError" TEXT
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Project" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "organizationId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "projectRoleAssertion" BOOLEAN NOT NULL DEFAULT false,
    "projectRoleCheck" BOOLEAN NOT NULL DEFAULT false,
    "hasProjectCheck" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Project_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Project" ("createdAt", "id", "name", "organizationId", "state") SELECT "createdAt", "id", "name", "organizationId", "state" FROM "Project";
DROP TABLE "Project";
ALTER TABLE "new_Project" RENAME TO "Project";
CREATE INDEX "Project_organizationId_idx" ON "Project"("organizationId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

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
